// The measures of a pattern, worked by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/roles/roles.h"

using namespace hydra;

namespace {

using Keys = std::vector<int>;
const Mask kNone, kCausal{Mask::Kind::causal, nullptr};

// 1 at the key of each row.
Mat<float> looking_at(const Keys& keys) {
  const auto n = static_cast<Index>(keys.size());
  Mat<float> A = Mat<float>::Zero(n, n);
  for (Index i = 0; i < n; ++i) A(i, keys[static_cast<std::size_t>(i)]) = 1;
  return A;
}

Mat<float> uniform(Index n) { return Mat<float>::Constant(n, n, 1.0f / static_cast<float>(n)); }

std::vector<std::string> different_words(Index n) {
  std::vector<std::string> tokens;
  for (Index k = 0; k < n; ++k) tokens.push_back(std::string(1, static_cast<char>('a' + k)));
  return tokens;
}

RoleMeasures measure(const Mat<float>& A, std::vector<std::string> tokens = {}, const Mask& mask = {},
                     const AnnotatedSentence* marks = nullptr, const std::vector<WordFeatures>& words = {}) {
  if (tokens.empty()) tokens = different_words(A.rows());
  const RelationOffsets offsets = marks ? best_offsets({*marks}) : RelationOffsets{};
  return finish(pattern_sums(A, sentence_targets(tokens, words, marks, mask, offsets)), offsets);
}

}  // namespace

TEST_CASE("roles: entropy, confidence, distance and offsets of a 3 x 3 pattern", "[core][analysis][roles]") {
  Mat<float> A(3, 3);
  A << 0.5f, 0.5f, 0,  //
      1, 0, 0,         //
      0.25f, 0.25f, 0.5f;
  const RoleMeasures m = measure(A);
  CHECK(m.rows == 3);
  CHECK(m[head_number::entropy_bits] == Approx((1 + 0 + 1.5) / 3));
  CHECK(m[head_number::entropy_fraction] == Approx(2.5 / 3 / std::log2(3)));
  CHECK(m[head_number::confidence] == Approx((0.5 + 1 + 0.5) / 3));
  CHECK(m[head_number::mean_distance] == Approx((0.5 + 1 + 0.25 * 2 + 0.25) / 3));
  REQUIRE(m.offsets.size() == 5);
  CHECK(m.offset(-2).attention == Approx(0.25));
  CHECK(m.offset(-1).attention == Approx((1 + 0.25) / 2));
  CHECK(m.offset(0).attention == Approx((0.5 + 0 + 0.5) / 3));
  CHECK(m.offset(1).attention == Approx(0.5 / 2));
  CHECK(m.offset(2).attention == 0);
  CHECK(m.offset(-1).maxima == Approx(0.5));     // rows 1 and 2 have a token there; row 1 looks there
  CHECK(m.offset(0).maxima == Approx(1.5 / 3));  // of the two equal maxima of row 0 each counts half
  CHECK(std::isnan(m.offset(3).attention));
  CHECK(m.positional_offset == 0);
  CHECK(m.positional_share == Approx(0.5));
  CHECK(m.pattern(TokenPattern::previous).mass == Approx((1 + 0.25) / 2));
  CHECK(m.pattern(TokenPattern::previous).accuracy == Approx(0.5));
  CHECK(m.pattern(TokenPattern::previous).rows == 2);
  CHECK(m.pattern(TokenPattern::first).mass == Approx((0.5 + 1 + 0.25) / 3));
  CHECK(m.pattern(TokenPattern::first).accuracy == Approx(0.5));
}

TEST_CASE("roles: perfect heads score 1 on their pattern, though not every row has a target",
          "[core][analysis][roles]") {
  const std::vector<std::string> tokens{"the", "cat", ".", "the"};
  const std::vector<WordFeatures> words{
      {1, 7, false, false}, {2, 4, false, false}, {0, 7, false, false}, {1, 7, false, false}};
  const auto score = [&](const Keys& keys, TokenPattern p) {
    const TargetScore s = measure(looking_at(keys), tokens, kNone, nullptr, words).pattern(p);
    CHECK(s.accuracy == 1);
    return s;
  };
  // Rows without a target look at a key that is none.
  CHECK(score({3, 0, 1, 2}, TokenPattern::previous).mass == 1);
  CHECK(score({1, 2, 3, 0}, TokenPattern::next).mass == 1);
  CHECK(score({0, 1, 2, 3}, TokenPattern::self).mass == 1);
  CHECK(score({0, 0, 0, 0}, TokenPattern::first).mass == 1);
  CHECK(score({2, 2, 2, 2}, TokenPattern::punctuation).mass == 1);
  CHECK(score({3, 0, 0, 0}, TokenPattern::same_word).mass == 1);
  CHECK(score({0, 0, 0, 1}, TokenPattern::induction).mass == 1);
  CHECK(score({1, 1, 1, 1}, TokenPattern::rarest).mass == 1);
  CHECK(score({3, 0, 0, 0}, TokenPattern::same_word).rows == 2);
  CHECK(score({0, 0, 0, 1}, TokenPattern::induction).rows == 1);
}

TEST_CASE("roles: perfect positional heads of a short sentence are positional", "[core][analysis][roles]") {
  const RoleMeasures previous = measure(looking_at({2, 0, 1}));
  CHECK(previous.positional_offset == -1);
  CHECK(previous.positional_share == 1);
  CHECK(previous.positional_rows == 2);
  CHECK(measure(looking_at({0, 0, 0, 1})).positional_offset == -2);  // two of four rows have a token there: enough
  CHECK(measure(looking_at({0, 1, 0, 0})).positional_offset == 0);   // offset -3 is one row's alone
}

TEST_CASE("roles: a uniform head has the values that follow from n", "[core][analysis][roles]") {
  AnnotatedSentence marks;
  marks.tokens = different_words(4);
  marks.gold[0] = {{2, 0}, {3, 0}, {3, 1}};
  const std::vector<WordFeatures> words{
      {1, 7, false, false}, {3, 4, false, false}, {2, 5, false, false}, {4, 6, false, false}};
  const RoleMeasures m = measure(uniform(4), {}, kNone, &marks, words);
  CHECK(m[head_number::entropy_bits] == Approx(2));
  CHECK(m[head_number::entropy_fraction] == Approx(1));
  CHECK(m[head_number::confidence] == Approx(0.25));
  CHECK(m[head_number::mean_distance] == Approx((6 + 4 + 4 + 6) / 16.0));
  for (const OffsetMeasure& offset : m.offsets) {
    CHECK(offset.attention == Approx(0.25));
    CHECK(offset.maxima == Approx(0.25));  // all keys are maxima
  }
  CHECK((m.positional_offset == 0 && m.positional_share == Approx(0.25)));
  for (const TokenPattern p : {TokenPattern::previous, TokenPattern::self, TokenPattern::first, TokenPattern::rarest}) {
    CHECK(m.pattern(p).mass == Approx(0.25));
    CHECK(m.pattern(p).accuracy == Approx(0.25));
  }
  CHECK(m.relation(Relation::coreference).mass == Approx((0.25 + 0.5) / 2));
  CHECK(m.relation(Relation::coreference).rows == 2);
  CHECK(std::isnan(m[head_number::semantic]));  // a constant is not correlated with anything
}

TEST_CASE("roles: relations beside their best fixed offset", "[core][analysis][roles]") {
  AnnotatedSentence marks;
  marks.tokens = different_words(4);
  marks.gold[0] = {{1, 0}, {2, 1}, {3, 0}};  // offsets -1, -1, -3
  const RelationScore s = measure(looking_at({0, 0, 2, 0}), {}, kNone, &marks).relation(Relation::coreference);
  CHECK(s.mass == Approx(2.0 / 3));
  CHECK(s.accuracy == Approx(2.0 / 3));
  CHECK(s.rows == 3);
  CHECK(s.best_offset == -1);
  CHECK(s.offset_accuracy == Approx(2.0 / 3));
}

TEST_CASE("roles: a measure without rows is undefined, not zero", "[core][analysis][roles]") {
  const RoleMeasures m = measure(looking_at({0, 0, 1}));
  for (const TokenPattern p : {TokenPattern::punctuation, TokenPattern::same_word, TokenPattern::induction}) {
    CHECK(m.pattern(p).rows == 0);
    CHECK((std::isnan(m.pattern(p).mass) && std::isnan(m.pattern(p).accuracy)));
  }
  CHECK(std::isnan(m.relation(Relation::negation).mass));
  CHECK(std::isnan(m[head_number::semantic]));
  CHECK(std::isnan(m[head_number::removal]));
  const RoleMeasures one = measure(looking_at({0}));
  CHECK((one[head_number::entropy_bits] == 0 && one[head_number::confidence] == 1 &&
         one[head_number::mean_distance] == 0));
  CHECK((std::isnan(one[head_number::entropy_fraction]) && std::isnan(one.positional_share)));
}

TEST_CASE("roles: a mask changes what is possible", "[core][analysis][roles]") {
  Mat<float> A(3, 3);
  A << 1, 0, 0,       //
      0.5f, 0.5f, 0,  //
      0.25f, 0.25f, 0.5f;
  const RoleMeasures m = measure(A, {}, kCausal);
  CHECK(m[head_number::entropy_fraction] == Approx((1 + 1.5 / std::log2(3)) / 2));  // row 0 has no choice
  CHECK(m[head_number::entropy_bits] == Approx(2.5 / 3));
  CHECK(m.pattern(TokenPattern::next).rows == 0);
  CHECK(m.pattern(TokenPattern::self).mass == Approx(0.5));
  CHECK(m.pattern(TokenPattern::first).rows == 2);
  CHECK(m.positional_offset == 0);
  CHECK(m.positional_share == Approx((0.5 + 1) / 2));

  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(3, 3);
  allowed.row(1).setZero();
  A.row(1).setZero();
  const RoleMeasures hidden = measure(A, {}, {Mask::Kind::custom, share(std::move(allowed))});
  CHECK(hidden.rows == 2);
  CHECK(hidden[head_number::confidence] == Approx(0.75));
}

TEST_CASE("roles: rows that are not finite do not count", "[core][analysis][roles]") {
  Mat<float> A = looking_at({0, 0, 1});
  A.row(2).setConstant(std::numeric_limits<float>::quiet_NaN());
  const RoleMeasures m = measure(A);
  CHECK(m.rows == 2);
  CHECK(m[head_number::confidence] == 1);
  CHECK(m.pattern(TokenPattern::previous).rows == 1);
}

TEST_CASE("roles: correlation with the similarity of words", "[core][analysis][roles]") {
  // Similarity of the pairs: a-b 1, a-c 0, b-c 0.
  const std::vector<WordFeatures> words{{1, 7, false, false}, {1, 4, false, false}, {2, 4, false, false}};
  Mat<float> A(3, 3);
  A << 0.2f, 0.6f, 0.2f,  //
      0.6f, 0.2f, 0.2f,   //
      0.2f, 0.2f, 0.6f;
  CHECK(measure(A, {}, kNone, nullptr, words)[head_number::semantic] == Approx(1).epsilon(1e-6));
  A << 0.5f, 0, 0.5f,  //
      0, 0.5f, 0.5f,   //
      0.5f, 0.5f, 0;
  CHECK(measure(A, {}, kNone, nullptr, words)[head_number::semantic] == Approx(-1).epsilon(1e-6));
}

TEST_CASE("roles: several sentences are pooled over their rows", "[core][analysis][roles]") {
  const Mat<float> A = looking_at({1, 0, 1}), B = uniform(2);
  const SentenceTargets a = sentence_targets(different_words(3), {}, nullptr, kNone),
                        b = sentence_targets(different_words(2), {}, nullptr, kNone);
  for (const bool first : {true, false}) {
    RoleSums sums = first ? pattern_sums(A, a) : pattern_sums(B, b);
    sums += first ? pattern_sums(B, b) : pattern_sums(A, a);
    const RoleMeasures m = finish(sums);
    CHECK(m.rows == 5);
    CHECK(m[head_number::entropy_bits] == Approx((3 * 0 + 2 * 1) / 5.0));
    CHECK(m[head_number::confidence] == Approx((3 + 2 * 0.5) / 5));
    CHECK(m[head_number::mean_distance] == Approx((3 + 2 * 0.5) / 5));
    CHECK(m.pattern(TokenPattern::previous).mass == Approx((1 + 1 + 0.5) / 3));
    CHECK(m.pattern(TokenPattern::previous).rows == 3);
    REQUIRE(m.offsets.size() == 5);
    CHECK(m.offset(-1).attention == Approx((1 + 1 + 0.5) / 3));
    CHECK(m.offset(-2).attention == 0);
  }
}

TEST_CASE("roles: removal is the contribution's share of the output, pooled by squares", "[core][analysis][roles]") {
  LayerTrace<float> layer;
  HeadTrace<float> head;
  head.attention = share(uniform(2));
  Mat<float> Z(2, 2), Y(2, 2);
  Z << 3, 0, 0, 4;
  Y << 0, 6, 8, 0;
  head.contribution = share(Mat<float>(Z));
  layer.output = share(Mat<float>(Y));
  layer.heads = {head};
  const SentenceTargets targets = sentence_targets({"a", "b"}, {}, nullptr, kNone);
  RoleSums sums = head_sums(layer, 0, targets);
  CHECK(finish(sums)[head_number::removal] == Approx(0.5));
  layer.heads[0].contribution = share(Mat<float>(Mat<float>::Zero(2, 2)));
  sums += head_sums(layer, 0, targets);
  CHECK(finish(sums)[head_number::removal] == Approx(std::sqrt(25.0 / 200)));
  layer.output = layer.heads[0].contribution;
  CHECK(std::isnan(finish(head_sums(layer, 0, targets))[head_number::removal]));
}

TEST_CASE("roles: the mean over heads leaves out what is undefined", "[core][analysis][roles]") {
  const std::vector<RoleMeasures> both{measure(looking_at({0, 0, 1})), measure(uniform(3))};
  const RoleMeasures mean = mean_of(both);
  CHECK(mean[head_number::confidence] == Approx((1 + 1.0 / 3) / 2));
  CHECK(mean.pattern(TokenPattern::previous).mass == Approx((1 + 1.0 / 3) / 2));
  CHECK(mean.offset(-1).attention == Approx((1 + 1.0 / 3) / 2));
  CHECK(std::isnan(mean[head_number::removal]));
}

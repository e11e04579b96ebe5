#include "core/design/head_design.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Mat<float> input(const std::vector<std::string>& tokens, Index d_model) {
  std::vector<WordFeatures> words;
  for (const std::string& token : tokens) words.push_back(Lexicon::standard().look_up(token));
  const FeatureLayout layout = feature_layout(d_model);
  return feature_embedding(tokens, words, layout, 1) + feature_positions(static_cast<Index>(tokens.size()), layout);
}

// What softmax sees: score_factor * q . k.
Mat<float> scores_of_design(const HeadDesign& design, const std::vector<std::string>& tokens, Index d_model,
                            Index d_k) {
  const float factor = 1 / std::sqrt(static_cast<float>(d_k));
  const HeadWeights head = build_head(design, feature_layout(d_model), d_k, factor);
  const Mat<float> X = input(tokens, d_model), Q = X * head.W_Q, K = X * head.W_K;
  return factor * Q * K.transpose();
}

HeadDesign plain(float sharpness = 10) {
  HeadDesign design;
  design.sharpness = sharpness;
  return design;
}

using Strings = std::vector<std::string>;
const Strings kKeys = {"The", "keys", "to", "the", "cabinet", "are", "old", "."};

}  // namespace

TEST_CASE("head design: an ask scores the product of both sums, times strength and sharpness", "[core][design]") {
  HeadDesign design = plain(10);
  design.asks = {{{{"plural", 1}, {"singular", -1}}, {{"plural", 1}, {"singular", -1}}, 1.5f},
                 {{{"auxiliary", 2}}, {{"noun", 1}, {"determiner", -0.5f}}, -0.25f}};
  for (const Index d_k : {4, 8, 64}) {
    const Mat<float> S = scores_of_design(design, kKeys, 64, d_k);
    CHECK(S(5, 1) == Approx(10 * (1.5 * 1 * 1 - 0.25 * 2 * 1)));   // are -> keys: both plural
    CHECK(S(5, 4) == Approx(10 * (1.5 * 1 * -1 - 0.25 * 2 * 1)));  // are -> cabinet: they differ
    CHECK(S(5, 3) == Approx(10 * (-0.25 * 2 * -0.5)));             // are -> the
    CHECK(S(4, 1) == Approx(10 * 1.5 * -1));                       // cabinet -> keys
    CHECK(S(2, 1) == Approx(0).margin(1e-5));                      // "to" asks for nothing
  }
}

TEST_CASE("head design: a kernel scores the cosine of the distance from its offset", "[core][design]") {
  HeadDesign design = plain(20);
  design.kernels = {{-2, 1, 0, 3}, {1.5f, -0.5f, 1, 1}};
  const Strings tokens(30, "cat");
  const Mat<float> S = scores_of_design(design, tokens, 64, 8);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j) {
      const double d = static_cast<double>(j - i), w = std::pow(10, -0.5);
      const double first = std::cos(d + 2) + std::cos(w * (d + 2)) + std::cos(0.1 * (d + 2));
      CHECK(S(i, j) == Approx(20 * (first - 0.5 * std::cos(w * (d - 1.5)))).margin(1e-3));
    }
}

TEST_CASE("head design: a place is sought by every token alike", "[core][design]") {
  HeadDesign design = plain(5);
  design.place = 3.0f;
  const Mat<float> S = scores_of_design(design, kKeys, 64, 8);
  for (Index j = 0; j < 8; ++j) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += std::cos(std::pow(10, -0.5 * k) * static_cast<double>(j - 3));
    for (Index i = 0; i < 8; ++i) CHECK(S(i, j) == Approx(5 * sum).margin(1e-4));
  }
  Index best = 0;
  S.row(0).maxCoeff(&best);
  CHECK(best == 3);
}

TEST_CASE("head design: the same word scores the match of the identities", "[core][design]") {
  HeadDesign design = plain(7);
  design.same_word = 2;
  const FeatureLayout layout = feature_layout(64);
  const Mat<float> X = input(kKeys, 64), I = X.middleCols(layout.identity_at(), 16);
  const Mat<float> all = scores_of_design(design, kKeys, 64, 16);  // room for the whole identity: cosines
  CHECK(all.isApprox(7 * 2 * I * I.transpose(), 1e-5f));
  CHECK(all(0, 3) == Approx(14));  // "The" and "the"
  const Mat<float> some = scores_of_design(design, kKeys, 64, 8);
  CHECK(some.isApprox(7 * 2 * 2 * I.leftCols(8) * I.leftCols(8).transpose(), 1e-5f));
  CHECK(scores_of_design(design, kKeys, 64, 32).isApprox(all, 1e-5f));  // more room than columns
}

TEST_CASE("head design: what does not fit is left out, the first asks stay, and it is named", "[core][design]") {
  HeadDesign design = plain();
  for (const char* name : {"noun", "verb", "pronoun", "plural", "human"})
    design.asks.push_back({{{"any", 1}}, {{name, 1}}, 1});
  design.place = 0.0f;
  design.kernels = {{-1, 1, 0, 2}};
  const HeadWeights head = build_head(design, feature_layout(64), 4, 0.5f);
  CHECK(head.left_out ==
        Strings{"any asking for human", "place 0", "offset −1 by the wave 1", "offset −1 by the wave 0.32"});
  design.asks.resize(3);
  design.place.reset();
  CHECK(build_head(design, feature_layout(64), 4, 0.5f).left_out.size() ==
        2);  // a wave takes two dimensions, one is left
  design.asks.resize(2);
  CHECK(build_head(design, feature_layout(64), 4, 0.5f).left_out == Strings{"offset −1 by the wave 0.32"});
  design.asks.clear();
  CHECK(build_head(design, feature_layout(64), 4, 0.5f).left_out.empty());
  design.same_word = 1;  // keeps half
  CHECK(build_head(design, feature_layout(64), 4, 0.5f).left_out == Strings{"offset −1 by the wave 0.32"});
  CHECK(build_head(design, feature_layout(64), 1, 1).left_out.size() == 2);
}

TEST_CASE("head design: features without a column are left out and named, unknown ones are a fault", "[core][design]") {
  HeadDesign design = plain();
  design.asks = {{{{"pronoun", 1}}, {{"object", 1}, {"male", 1}}, 1}, {{{"male", 1}}, {{"noun", 1}}, 1}};
  const HeadWeights head = build_head(design, feature_layout(32), 8, 1);
  CHECK(head.left_out == Strings{"the feature male, which has no column at d_model 32"});
  CHECK_FALSE(head.W_Q.col(0).isZero(0));
  CHECK(head.W_Q.col(1).isZero(0));
  CHECK(build_head(design, feature_layout(64), 8, 1).left_out.empty());
  design.asks = {{{{"pronuon", 1}}, {{"noun", 1}}, 1}};
  CHECK_THROWS_WITH(build_head(design, feature_layout(64), 8, 1), fault_at("the feature pronuon", "lexicon"));
}

TEST_CASE("head design: the sharpness means the same whatever the layer divides by", "[core][design]") {
  const HeadDesign design = preset_design(HeadPreset::verb_subject);
  const Mat<float> X = input(kKeys, 64);
  const auto with = [&](float factor) -> Mat<float> {
    const HeadWeights head = build_head(design, feature_layout(64), 8, factor);
    return factor * (X * head.W_Q) * (X * head.W_K).transpose();
  };
  CHECK(with(1).isApprox(with(1 / std::sqrt(8.0f)), 1e-4f));
  CHECK(with(1).isApprox(with(0.01f), 1e-4f));
  HeadDesign twice = design;
  twice.sharpness *= 2;
  const HeadWeights one = build_head(design, feature_layout(64), 8, 1),
                    two = build_head(twice, feature_layout(64), 8, 1);
  CHECK(two.W_Q.isApprox(std::sqrt(2.0f) * one.W_Q, 1e-5f));  // spread over both sides
  CHECK(two.W_K.isApprox(std::sqrt(2.0f) * one.W_K, 1e-5f));
}

TEST_CASE("head design: what is carried is written back where it came from", "[core][design]") {
  HeadDesign design = plain();
  const FeatureLayout layout = feature_layout(64);
  const auto through = [&](Carries carries) -> Mat<float> {
    design.carries = carries;
    const HeadWeights head = build_head(design, layout, 8, 1);
    CHECK((head.W_V.rows() == 64 && head.W_V.cols() == 8 && head.W_O.rows() == 8 && head.W_O.cols() == 64));
    return head.W_V * head.W_O;
  };
  const auto columns = [&](Carries carries) {
    const Mat<float> M = through(carries);
    std::set<std::string> names;
    for (Index c = 0; c < 64; ++c)
      if (M(c, c) == 1) names.insert(column_name(layout, c));
    CHECK(M.sum() == static_cast<float>(names.size()));  // nothing else
    return names;
  };
  CHECK(columns(Carries::word) ==
        std::set<std::string>{"word 0", "word 1", "word 2", "word 3", "word 4", "word 5", "word 6", "word 7"});
  CHECK(columns(Carries::features) ==
        std::set<std::string>{"noun", "verb", "adjective", "plural", "animate", "human", "object", "place"});
  CHECK(through(Carries::nothing).isZero(0));
  const Mat<float> everything = through(Carries::everything);
  CHECK((everything * everything).isApprox(everything, 1e-5f));           // a projection
  CHECK((everything.diagonal().array() > 0).all());                       // of every column
  CHECK(build_head(design, feature_layout(32), 32, 1).W_V.cols() == 32);  // more dimensions than identity columns
}

TEST_CASE("head design: what the slot holds is matched, and a word is carried into it", "[core][design]") {
  const FeatureLayout layout = feature_layout({64, true});
  REQUIRE((layout.identity == 16 && layout.slot == 16));
  HeadDesign design = plain(3);
  design.slot_word = 2;
  design.carries = Carries::word_to_slot;
  HeadWeights head = build_head(design, layout, 32, 1);
  CHECK(head.left_out.empty());
  Mat<float> asks = head.W_Q * head.W_K.transpose(), writes = head.W_V * head.W_O;
  for (Index c = 0; c < 16; ++c) {
    CHECK(asks(layout.identity_at() + c, layout.slot_at() + c) == Approx(6));
    CHECK(writes(layout.identity_at() + c, layout.slot_at() + c) == 1);
  }
  CHECK((asks.array() != 0).count() == 16);
  CHECK((writes.array() != 0).count() == 16);
  design.same_word = 1;  // both have room
  CHECK((Mat<float>(build_head(design, layout, 32, 1).W_Q).array() != 0).count() == 32);
  head = build_head(design, layout, 8, 1);  // half of it each, their weight the same on average
  asks = head.W_Q * head.W_K.transpose();
  CHECK(asks(layout.identity_at(), layout.identity_at()) == Approx(3 * 4));
  CHECK(asks(layout.identity_at(), layout.slot_at()) == Approx(6 * 4));
  head = build_head(design, feature_layout(64), 8, 1);
  CHECK(head.left_out == Strings{"its word in the slot, which X does not have",
                                 "the slot to write into, which X does "
                                 "not have"});
  CHECK((head.W_V.isZero(0) && head.W_O.isZero(0)));
}

TEST_CASE("head design: what is read of some features is written into others", "[core][design]") {
  HeadDesign design = plain();
  design.carries = Carries::nothing;
  design.writes = {{{{"verb", 1}}, {{"object", 1}, {"place", -1}}, 4}, {{{"noun", 2}}, {{"human", 1}}, -1}};
  const auto at = [](const char* name) { return Lexicon::standard().feature(name); };
  HeadWeights head = build_head(design, feature_layout(64), 8, 1);
  const Mat<float> writes = head.W_V * head.W_O;
  CHECK(writes(at("verb"), at("object")) == Approx(4));
  CHECK(writes(at("verb"), at("place")) == Approx(-4));
  CHECK(writes(at("noun"), at("human")) == Approx(-2));
  CHECK((writes.array() != 0).count() == 3);
  CHECK(head.left_out.empty());
  design.carries = Carries::word;  // has the dimensions that are left
  head = build_head(design, feature_layout(64), 8, 1);
  CHECK((head.W_V.array() != 0).count() == 2 + 6);
  design.carries = Carries::everything;
  CHECK(build_head(design, feature_layout(64), 2, 1).left_out.empty());
  CHECK(build_head(design, feature_layout(64), 1, 1).left_out == Strings{"writing 2 noun as human"});
  design.writes = {{{}, {{"human", 1}}, 1}};  // says nothing yet
  CHECK(Mat<float>(build_head(design, feature_layout(64), 8, 1).W_O).row(0).size() == 64);
}

TEST_CASE("head design: described in one line", "[core][design]") {
  HeadDesign design = plain(15);
  design.asks = {{{{"verb", 1}, {"auxiliary", 1}}, {{"noun", 1}, {"determiner", -0.5f}}, 2.5f}};
  design.kernels = {{-1, 1, 0, 4}, {0, -0.25f, 1, 1}};
  design.carries = Carries::features;
  CHECK(describe(design) ==
        "query verb + auxiliary, key noun − 0.5 determiner × 2.5; near offset −1; away from offset 0 × 0.25; "
        "sharpness 15; carries features");
  CHECK(describe(plain()) == "all tokens alike; sharpness 10; carries the word");
  design = plain();
  design.same_word = 1;
  design.place = 0.0f;
  CHECK(describe(design) == "the same word; at place 0; sharpness 10; carries the word");
}

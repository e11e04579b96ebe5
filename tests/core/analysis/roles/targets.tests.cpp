// Which keys count for which query, by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/roles/targets.h"
#include "core/text/tokenizer.h"

using namespace hydra;

namespace {

using Keys = std::vector<std::pair<int, std::vector<int>>>;  // (row, its keys)

Keys listed(const Targets& targets) {
  Keys keys;
  for (std::size_t k = 0; k < targets.rows.size(); ++k)
    keys.push_back({targets.rows[k], std::vector<int>(targets.keys.begin() + targets.begin[k],
                                                      targets.keys.begin() + targets.begin[k + 1])});
  return keys;
}

Keys pattern(const SentenceTargets& targets, TokenPattern p) {
  return listed(targets.patterns[static_cast<std::size_t>(p)]);
}

WordFeatures word(FeatureSet features, float zipf, bool guessed = false) { return {features, zipf, guessed, false}; }

const Mask kNone, kCausal{Mask::Kind::causal, nullptr};

}  // namespace

TEST_CASE("targets: the entries stand in the order of the enum", "[core][analysis][roles]") {
  for (int p = 0; p < kTokenPatterns; ++p)
    CHECK(static_cast<int>(token_patterns()[static_cast<std::size_t>(p)].pattern) == p);
}

TEST_CASE("targets: token patterns of a sentence", "[core][analysis][roles]") {
  const SentenceTargets targets = sentence_targets({"The", "cat", ",", "the", "cat"}, {}, nullptr, kNone);
  CHECK(pattern(targets, TokenPattern::previous) == Keys{{1, {0}}, {2, {1}}, {3, {2}}, {4, {3}}});
  CHECK(pattern(targets, TokenPattern::next) == Keys{{0, {1}}, {1, {2}}, {2, {3}}, {3, {4}}});
  CHECK(pattern(targets, TokenPattern::self) == Keys{{0, {0}}, {1, {1}}, {2, {2}}, {3, {3}}, {4, {4}}});
  CHECK(pattern(targets, TokenPattern::first) == Keys{{0, {0}}, {1, {0}}, {2, {0}}, {3, {0}}, {4, {0}}});
  CHECK(pattern(targets, TokenPattern::punctuation) == Keys{{0, {2}}, {1, {2}}, {2, {2}}, {3, {2}}, {4, {2}}});
  CHECK(pattern(targets, TokenPattern::same_word) == Keys{{0, {3}}, {1, {4}}, {3, {0}}, {4, {1}}});
  CHECK(pattern(targets, TokenPattern::induction) == Keys{{3, {1}}, {4, {2}}});
  CHECK(pattern(targets, TokenPattern::rarest).empty());  // without frequencies
  CHECK(!targets.similarity);
}

TEST_CASE("targets: what follows every earlier occurrence, the query itself after a double",
          "[core][analysis][roles]") {
  const SentenceTargets targets = sentence_targets({"a", "a", "b", "a"}, {}, nullptr, kNone);
  CHECK(pattern(targets, TokenPattern::induction) == Keys{{1, {1}}, {3, {1, 2}}});
  CHECK(pattern(targets, TokenPattern::same_word) == Keys{{0, {1, 3}}, {1, {0, 3}}, {3, {0, 1}}});
}

TEST_CASE("targets: the rarest words, ties and guesses, never marks", "[core][analysis][roles]") {
  const std::vector<std::string> tokens{"the", "cat", "mat", "."};
  const auto rarest = [&](const std::vector<WordFeatures>& words) {
    return pattern(sentence_targets(tokens, words, nullptr, kNone), TokenPattern::rarest);
  };
  CHECK(rarest({word(1, 7), word(1, 4), word(1, 4.5), word(1, 0)}) == Keys{{0, {1}}, {1, {1}}, {2, {1}}, {3, {1}}});
  CHECK(rarest({word(1, 7), word(1, 4), word(1, 4), word(1, 0)}).front() == Keys::value_type{0, {1, 2}});
  CHECK(rarest({word(1, 7), word(1, 4), word(1, 5, true), word(1, 0)}).front() == Keys::value_type{0, {2}});
  CHECK(rarest({word(1, 4), word(1, 4), word(1, 4), word(1, 0)}).empty());
}

TEST_CASE("targets: a query without a visible target, or with nothing else to see, does not count",
          "[core][analysis][roles]") {
  const SentenceTargets targets = sentence_targets({"a", "b", "a"}, {}, nullptr, kCausal);
  CHECK(targets.seen == std::vector<int>{1, 2, 3});
  CHECK(pattern(targets, TokenPattern::next).empty());
  CHECK(pattern(targets, TokenPattern::self) == Keys{{1, {1}}, {2, {2}}});  // row 0 sees itself alone
  CHECK(pattern(targets, TokenPattern::first) == Keys{{1, {0}}, {2, {0}}});
  CHECK(pattern(targets, TokenPattern::same_word) == Keys{{2, {0}}});
  const SentenceTargets alone = sentence_targets({"a"}, {}, nullptr, kNone);
  for (const Targets& t : alone.patterns) CHECK(t.count() == 0);
}

TEST_CASE("targets: marked relations, several keys for one query", "[core][analysis][roles]") {
  AnnotatedSentence marks;
  marks.tokens = {"the", "cat", "it", "."};
  marks.gold[static_cast<std::size_t>(Relation::coreference)] = {{2, 0}, {2, 1}};
  marks.gold[static_cast<std::size_t>(Relation::determiner_noun)] = {{0, 1}};
  const auto relation = [&](const Mask& mask, Relation r) {
    return listed(sentence_targets(marks.tokens, {}, &marks, mask).relations[static_cast<std::size_t>(r)]);
  };
  CHECK(relation(kNone, Relation::coreference) == Keys{{2, {0, 1}}});
  CHECK(relation(kNone, Relation::determiner_noun) == Keys{{0, {1}}});
  CHECK(relation(kCausal, Relation::coreference) == Keys{{2, {0, 1}}});
  CHECK(relation(kCausal, Relation::determiner_noun).empty());
  CHECK(relation(kNone, Relation::negation).empty());
}

TEST_CASE("targets: the best fixed offset is the most frequent, the nearest of equals", "[core][analysis][roles]") {
  AnnotatedSentence a, b;
  const auto best = [&](std::vector<GoldPair> first, std::vector<GoldPair> second) {
    a.gold[0] = std::move(first);
    b.gold[0] = std::move(second);
    return best_offsets({a, b})[0];
  };
  CHECK(best({{5, 2}, {4, 3}}, {{6, 3}}) == -3);
  CHECK(best({{5, 2}, {4, 3}}, {}) == -1);
  CHECK(best({{5, 6}, {4, 3}}, {}) == -1);
  CHECK(best({{5, 6}}, {{4, 2}}) == 1);
  CHECK(!best({}, {}));
}

TEST_CASE("targets: the similarity of words is the cosine of their feature sets", "[core][analysis][roles]") {
  const std::vector<WordFeatures> words{word(0b111, 1), word(0b001, 1), word(0b1000, 1), word(0, 1)};
  const Similarity s = *sentence_targets({"a", "b", "c", "d"}, words, nullptr, kNone).similarity;
  CHECK(s.pairs == 6);  // of three words; the one without a feature is like none
  CHECK(s.values(0, 1) == Approx(1 / std::sqrt(3.0)));
  CHECK(s.values(1, 0) == s.values(0, 1));
  CHECK((s.values(0, 2) == 0 && s.counted(0, 2) == 1));
  CHECK((s.values(0, 0) == 0 && s.counted(0, 0) == 0 && s.counted(0, 3) == 0));
  CHECK(s.sum == Approx(2 / std::sqrt(3.0)));
  CHECK(s.squares == Approx(2.0 / 3));
  CHECK(sentence_targets({"a", "b", "c", "d"}, words, nullptr, kCausal).similarity->pairs == 3);
}

TEST_CASE("tokenizer: marks and delimiters", "[core][text][tokenizer]") {
  for (const char* token : {",", ".", "...", "--", "?", "…", "[SEP]", "<s>", "(", "€"}) {
    CAPTURE(token);
    CHECK(is_mark(token));
  }
  for (const char* token : {"a", "don't", "'s", "##ing", "3.5", "é", "猫", "", "well-known", "\xc3"}) {
    CAPTURE(token);
    CHECK(!is_mark(token));
  }
}

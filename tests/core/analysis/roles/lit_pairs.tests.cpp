// Where a head looks the most, and what is known of it.
#include "core/analysis/roles/lit_pairs.h"

#include <catch2/catch.hpp>

#include "core/linalg/random.h"

using namespace hydra;

namespace {

// 0 but for these.
Array<float> pattern(Index n, const std::vector<std::tuple<Index, Index, float>>& cells) {
  Mat<float> A = Mat<float>::Zero(n, n);
  for (const auto& [i, j, weight] : cells) A(i, j) = weight;
  return share(std::move(A));
}

}  // namespace

TEST_CASE("lit pairs: the strongest first, each with the relation, the job or the pattern that explains it",
          "[core][roles]") {
  AnnotatedSentence one, two;
  one.tokens = {"she", "saw", "her", "dog", "."};
  one.gold[static_cast<std::size_t>(Relation::coreference)] = {{2, 0}};
  one.own = {{"owner", {{3, 2}}}};  // stands before "previous token"
  two.tokens = {"a", "cat", "saw", "a", "dog"};
  two.jobs = {{{2, 1}}, {{4, 2}}};
  const HeadJobs jobs{std::make_shared<const HeadJob>(HeadJob{"s", "subject", "s", ""}),
                      std::make_shared<const HeadJob>(HeadJob{"v", "verb", "v", ""})};
  const std::vector<Array<float>> patterns{
      pattern(5, {{2, 0, 0.9f}, {3, 2, 0.8f}, {1, 4, 0.7f}, {4, 1, 0.95f}, {3, 1, 0.2f}}),
      pattern(5, {{2, 1, 0.5f}, {4, 2, 0.6f}, {3, 0, 0.85f}, {1, 0, 0.4f}, {3, 1, 0.31f}, {0, 0, 1}, {4, 1, 0.35f}})};
  const LitPairs all = lit_pairs(patterns, {one, two}, jobs, false, 100);
  std::vector<std::string> known;
  float before = 2;
  for (const LitPair& lit : all.pairs) {
    CHECK(lit.weight <= before);
    before = lit.weight;
    known.push_back(lit.pattern ? token_patterns()[static_cast<std::size_t>(*lit.pattern)].key : lit.relation);
  }
  CHECK(known == std::vector<std::string>{"self", "", "coreference", "same_word", "owner", "punctuation", "verb",
                                          "subject", "previous_token", "", "induction"});
  CHECK(all.strong == 11);
  CHECK(all.known == 9);
  const LitPairs unknown = lit_pairs(patterns, {one, two}, jobs, true, 100);
  REQUIRE(unknown.pairs.size() == 2);
  CHECK(unknown.pairs[0].sentence == 0);
  CHECK(unknown.pairs[0].pair == GoldPair{4, 1});
  CHECK(unknown.pairs[1].pair == GoldPair{4, 1});
  CHECK(unknown.strong == 11);
  CHECK(lit_pairs(patterns, {one, two}, jobs, false, 3).pairs.size() == 3);
  CHECK(lit_pairs({}, {}, {}, true, 3).pairs.empty());
}

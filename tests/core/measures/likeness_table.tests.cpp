// The likeness table of documents: incremental equals from scratch, pooled over one sentence equals that sentence.
#include "core/measures/likeness_table.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/measured.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

LikenessWanted some(Random& random) {
  LikenessWanted wanted;
  for (bool& measure : wanted.measures) measure = random.bits() % 2;
  wanted.ordered_by = static_cast<Likeness>(random.bits() % kLikenesses);
  wanted.ranks = random.bits() % 2;
  return wanted;
}
bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void check_same(const LikenessTable& a, const LikenessTable& b, const LikenessWanted& wanted) {
  for (const LikenessEntry& entry : likenesses()) {
    CAPTURE(entry.key);
    const bool asked = wanted.measures[static_cast<std::size_t>(entry.measure)] || entry.measure == wanted.ordered_by;
    REQUIRE((a.matrix(entry.measure) != nullptr) == asked);
    REQUIRE(same_bits<double>(a.matrix(entry.measure), b.matrix(entry.measure)));
  }
  REQUIRE(a.clustering.leaves == b.clustering.leaves);
  REQUIRE(same_bits<double>(a.map.points, b.map.points));
  REQUIRE(same(a.map.stress, b.map.stress));
  REQUIRE(same(a.mean_cosine, b.mean_cosine));
  REQUIRE(same(a.effective_heads, b.effective_heads));
  REQUIRE(a.ranks.size() == b.ranks.size());
  for (std::size_t h = 0; h < a.ranks.size(); ++h)
    for (const auto spectrum : {&HeadRanks::scores, &HeadRanks::query_key}) {
      const Spectrum &x = a.ranks[h].*spectrum, &y = b.ranks[h].*spectrum;
      REQUIRE(x.values.size() == y.values.size());
      for (std::size_t k = 0; k < x.values.size(); ++k) REQUIRE(same(x.values[k], y.values[k]));
      REQUIRE(x.numerical_rank == y.numerical_rank);
    }
}

Document small() { return hydra::apply(hydra::apply(default_document(), SetModelWidth{12}), SetHeads{3}); }

}  // namespace

TEST_CASE("likeness table: after any edits the same as from scratch", "[core][document][likeness]") {
  Random random(6);
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  ThreadPool pool(2);
  LikenessTables kept(&pool);
  Document document = small();
  std::shared_ptr<const Trace> trace;
  int compared = 0, pooled = 0;
  for (int step = 0; step < 80; ++step) {
    try {
      document = hydra::apply(document, random_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    trace = evaluate(document, trace.get());
    const LikenessWanted wanted = some(random);
    CAPTURE(step);
    LikenessTables fresh, fresh_pooled;
    check_same(kept.of_sentence(trace->layer(0), wanted), fresh.of_sentence(trace->layer(0), wanted), wanted);
    ++compared;
    if (document.embedding.kind == Embedding::Kind::explicit_values ||
        document.layers.front().mask.kind == Mask::Kind::custom)
      continue;
    check_same(kept.pooled(document, *trace, 0, set, wanted), fresh_pooled.pooled(document, *trace, 0, set, wanted),
               wanted);
    ++pooled;
  }
  CHECK(compared > 40);
  CHECK(pooled > 10);
}

TEST_CASE("likeness table: pooled over one sentence is that sentence", "[core][document][likeness]") {
  const Document document = small();
  const auto trace = evaluate(document);
  LikenessTables tables;
  std::atomic<int> done = 0;
  const MarkedSentences one = marked({document.sentence});
  const LikenessTable own = tables.of_sentence(trace->layer(0), all_measures(true)),
                      pooled = tables.pooled(document, *trace, 0, one, all_measures(true), {{}, &done});
  check_same(own, pooled, all_measures(true));
  CHECK(done == 1 + steps_of_likeness(3, all_measures()));
  CHECK(own.sentences.empty());
  CHECK(pooled.sentences == std::vector<std::string>{document.sentence});
  CHECK(own.ranks.size() == 3);
  CHECK(own.ranks[0].query_key.numerical_rank <= 4);
  CHECK_THROWS_AS(tables.pooled(document, *trace, 0, marked({}), all_measures(true)), InputError);
}

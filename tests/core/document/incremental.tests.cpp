#include <catch2/catch.hpp>

#include "core/document/evaluate.h"
#include "core/document/history.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

bool same_matrix(const Array<float>& a, const Array<float>& b) { return same_bits<float>(a, b); }

bool same_head(const HeadTrace<float>& a, const HeadTrace<float>& b) {
  return same_matrix(a.Q, b.Q) && same_matrix(a.K, b.K) && same_matrix(a.V, b.V) && same_matrix(a.scores, b.scores) &&
         same_matrix(a.attention, b.attention) && same_matrix(a.output, b.output) &&
         same_matrix(a.contribution, b.contribution);
}

void require_same(const Trace& a, const Trace& b) {
  REQUIRE(a.tokens == b.tokens);
  REQUIRE(same_matrix(a.embedding, b.embedding));
  REQUIRE(same_matrix(a.positions, b.positions));
  REQUIRE(same_matrix(a.X, b.X));
  REQUIRE(a.layers.size() == b.layers.size());
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    REQUIRE(a.layers[l].heads.size() == b.layers[l].heads.size());
    for (std::size_t h = 0; h < a.layers[l].heads.size(); ++h)
      REQUIRE(same_head(a.layers[l].heads[h], b.layers[l].heads[h]));
    REQUIRE(same_matrix(a.layers[l].concat, b.layers[l].concat));
    REQUIRE(same_matrix(a.layers[l].output, b.layers[l].output));
  }
}

// One random move of a user: an edit, a step of a drag, its end, undo, redo.
void move(Random& random, History& history) {
  try {
    switch (below(random, 8)) {
      case 0:
        return history.undo();
      case 1:
        return history.redo();
      case 2:
        return history.commit();
      case 3:
        return history.cancel();
      case 4:
        return history.preview(random_edit(random, history.current()));
      default:
        return history.apply(random_edit(random, history.current()));
    }
  } catch (const InputError&) {
  }
}

}  // namespace

TEST_CASE("incremental: after any script of edits the trace equals one from scratch", "[core][evaluate]") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u, 4u);
  Random random(seed);
  ThreadPool pool(2);
  Document first = apply(apply(default_document(), SetModelWidth{12}), SetSentence{"the cat didn't see it"});
  if (seed % 2 == 0) first = with_explicit_parts(random, first);
  History history(first);
  auto trace = evaluate(history.current(), nullptr, &pool);
  for (int step = 0; step < 500; ++step) {
    move(random, history);
    CAPTURE(seed, step, history.undo_label());
    check_document(history.current());
    trace = evaluate(history.current(), trace.get(), step % 2 == 0 ? &pool : nullptr);
    require_same(*trace, *evaluate(history.current()));
  }
}

TEST_CASE("incremental: undoing everything comes back to the first document, redoing to the last", "[core][history]") {
  const std::uint64_t seed = 77;
  Random random(seed);
  const Document first = apply(default_document(), SetModelWidth{8});
  History history(first);
  std::vector<Document> states{first};
  for (int step = 0; step < 300; ++step) {
    const std::size_t before = history.steps();
    try {
      history.apply(random_edit(random, history.current()));
    } catch (const InputError&) {
    }
    if (history.steps() > before) states.push_back(history.current());
  }
  REQUIRE(states.size() > 200);
  for (std::size_t k = states.size(); k-- > 1; history.undo()) REQUIRE(same_document(history.current(), states[k]));
  REQUIRE_FALSE(history.can_undo());
  for (std::size_t k = 0; k + 1 < states.size(); ++k, history.redo())
    REQUIRE(same_document(history.current(), states[k]));
  REQUIRE_FALSE(history.can_redo());
}

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/quantity.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

bool same_matrix(const Array<float>& a, const Array<float>& b) { return same_bits<float>(a, b); }

bool same_head(const HeadTrace<float>& a, const HeadTrace<float>& b) {
  return std::ranges::all_of(kHeadStages, [&](Quantity stage) { return same_matrix(a[stage], b[stage]); });
}

void require_same(const Trace& a, const Trace& b) {
  REQUIRE(a.tokens == b.tokens);
  REQUIRE(same_matrix(a.embedding, b.embedding));
  REQUIRE(same_matrix(a.positions, b.positions));
  REQUIRE(same_matrix(a.X, b.X));
  REQUIRE(a.model.rows == b.model.rows);
  for (const Quantity q : {Quantity::final, Quantity::logits, Quantity::probabilities})
    REQUIRE(same_matrix(*a.model.stage(q), *b.model.stage(q)));
  REQUIRE(a.layers.size() == b.layers.size());
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    REQUIRE(a.layers[l].heads.size() == b.layers[l].heads.size());
    for (std::size_t h = 0; h < a.layers[l].heads.size(); ++h)
      REQUIRE(same_head(a.layers[l].heads[h], b.layers[l].heads[h]));
    for (const Quantity stage : kLayerStages) REQUIRE(same_matrix(a.layers[l][stage], b.layers[l][stage]));
    REQUIRE(a.blocks[l].stages.size() == b.blocks[l].stages.size());
    for (std::size_t k = 0; k < a.blocks[l].stages.size(); ++k) {
      REQUIRE(a.blocks[l].stages[k].first == b.blocks[l].stages[k].first);
      REQUIRE(same_matrix(a.blocks[l].stages[k].second, b.blocks[l].stages[k].second));
    }
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
        return history.preview(random_stack_edit(random, history.current()));
      default:
        return history.apply(random_stack_edit(random, history.current()));
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
  std::size_t layers = 1;
  for (int step = 0; step < 500; ++step) {
    move(random, history);
    CAPTURE(seed, step, history.undo_label());
    check_document(history.current());
    trace = evaluate(history.current(), trace.get(), step % 2 == 0 ? &pool : nullptr);
    require_same(*trace, *evaluate(history.current()));
    layers = std::max(layers, history.current().layers.size());
  }
  CHECK(layers > 1);
}

TEST_CASE("incremental: undoing everything comes back to the first document, redoing to the last", "[core][history]") {
  const std::uint64_t seed = 77;
  Random random(seed);
  const Document first = apply(default_document(), SetModelWidth{8});
  History history(first);
  std::vector<Document> states{first};
  for (int step = 0; step < 400; ++step) {
    const std::size_t before = history.steps();
    try {
      history.apply(random_stack_edit(random, history.current()));
    } catch (const InputError&) {
    }
    if (history.steps() > before) states.push_back(history.current());
  }
  REQUIRE(states.size() > 180);
  for (std::size_t k = states.size(); k-- > 1; history.undo()) REQUIRE(same_document(history.current(), states[k]));
  REQUIRE_FALSE(history.can_undo());
  for (std::size_t k = 0; k + 1 < states.size(); ++k, history.redo())
    REQUIRE(same_document(history.current(), states[k]));
  REQUIRE_FALSE(history.can_redo());
}

namespace {

// Whatever of the trace is asked for, kept or not, against one that keeps all.
void require_same_sites(const Trace& trace, const Trace& whole) {
  REQUIRE(trace.layers.size() == whole.layers.size());
  for (int layer = 0; layer < static_cast<int>(whole.layers.size()); ++layer)
    for (int q = 0; q < kQuantities; ++q)
      for (int h = kNoHead; h < static_cast<int>(whole.layer(layer).input.heads); ++h) {
        const Site site{static_cast<Quantity>(q), layer, h};
        REQUIRE(exists(trace, site) == exists(whole, site));
        if (!exists(whole, site) || is_asked(site.quantity)) continue;
        CAPTURE(spelled(site));
        const Mat<float> a = values_of(trace, site), b = values_of(whole, site);
        REQUIRE(same_bits<float>(MatView<float>(a), MatView<float>(b)));
      }
}

}  // namespace

TEST_CASE("incremental: of layers out of focus all is recomputed when it is asked for, to the last bit",
          "[core][evaluate]") {
  const std::uint64_t seed = GENERATE(5u, 6u, 7u);
  Random random(seed);
  ThreadPool pool(2);
  Document first = apply(apply(default_document(), SetModelWidth{8}), SetSentence{"the cat didn't see it"});
  while (first.layers.size() < 4) first.layers.push_back(first.layers.front());
  History history(first);
  Keeping keeping{.focus = 1, .most = 0};
  std::shared_ptr<const Trace> trace;
  int shared = 0;
  for (int step = 0; step < 150; ++step) {
    const auto layers = static_cast<Index>(history.current().layers.size());
    try {
      Edit edit = random_edit(random, history.current());
      edit.layer = static_cast<int>(below(random, layers));
      if (!std::holds_alternative<ReplaceDocument>(edit.what)) history.apply(edit);
      if (below(random, 6) == 0) history.undo();
    } catch (const InputError&) {
    }
    if (below(random, 4) == 0) keeping.focus = static_cast<int>(below(random, layers));
    const auto before = trace;
    trace = evaluate(history.current(), before.get(), step % 2 == 0 ? &pool : nullptr, keeping);
    CAPTURE(seed, step, keeping.focus, history.undo_label());
    const auto everything = evaluate(history.current(), nullptr, nullptr, {.most = 1e12});
    for (int k = 0; k < 4; ++k) {
      REQUIRE(trace->layer(k).is_whole() == (k == keeping.focus));
      REQUIRE(trace->layer(k).output);
      REQUIRE(trace->layer(k).is_whole() == static_cast<bool>(trace->layer(k).concat));
      REQUIRE(trace->layer(k).output.stamp() == output_stamp(trace->layer(k).input));
      shared += before && before->layer(k).output.owner() == trace->layer(k).output.owner();
    }
    require_same_sites(*trace, *everything);
    const auto other = with_whole_layer(trace, (keeping.focus + 1) % 4);
    REQUIRE(other->layer((keeping.focus + 1) % 4).is_whole());
    if (step % 10 == 0) require_same_sites(*other, *everything);
  }
  CHECK(shared > 100);  // what an edit of a later layer does not reach
}

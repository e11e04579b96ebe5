// What is derived for drawing, kept from one edit to the next, against a fresh cache.
#include "app/views/frame/derived_cache.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/examples.h"

using namespace hydra;

namespace {

// A picture that a slow frame left for another one is asked for again in the next, as a view does.
template <class Ask>
Array<float> in_time(DerivedCache& cache, const Ask& ask) {
  Array<float> picture = ask();
  while (cache.pending()) {
    cache.begin_frame();
    picture = ask();
  }
  return picture;
}

void check_same(DerivedCache& kept, DerivedCache& fresh, const Trace& trace, int head) {
  const LayerInput<float>& input = trace.layers.front().input;
  std::vector<bool> some(static_cast<std::size_t>(input.heads), false);
  some[static_cast<std::size_t>(head)] = true;
  for (const Quantity form : {Quantity::query_key, Quantity::value_output})
    CHECK(same_bits<float>(kept.form({form, 0, head}), fresh.form({form, 0, head})));
  CHECK(same_bits<float>(kept.value_weighted(0, head), fresh.value_weighted(0, head)));
  for (const std::vector<bool>& heads : {some, std::vector<bool>(some.size(), true)})
    CHECK(same_bits<float>(kept.mean_attention(0, heads), fresh.mean_attention(0, heads)));
  CHECK(same_bits<float>(kept.transposed(input.weights.W_Q), fresh.transposed(input.weights.W_Q)));
  const bool slices = input.concat_width() == input.d_model();  // are possible
  if (slices)
    CHECK(same_bits<float>(kept.unread_hatched(input.weights.W_K, input.d_k()),
                           fresh.unread_hatched(input.weights.W_K, input.d_k())));
  for (const Split split : {Split::projection, slices ? Split::slice : Split::projection})
    CHECK(same_bits<float>(kept.head_sight(input.weights, input.heads, head, split),
                           fresh.head_sight(input.weights, input.heads, head, split)));
  for (const Quantity quantity : {Quantity::scores, Quantity::attention, Quantity::contribution})
    for (const int level : {0, 1})
      CHECK(same_bits<float>(in_time(kept,
                                     [&] {
                                       return kept.strongest({quantity, 0, head}, level);
                                     }),
                             in_time(fresh, [&] {
                               return fresh.strongest({quantity, 0, head}, level);
                             })));
  CHECK(same_bits<float>(in_time(kept, [&] { return kept.strongest_of(trace.X, 1); }),
                         in_time(fresh, [&] { return fresh.strongest_of(trace.X, 1); })));
  for (const Quantity quantity : {Quantity::X, Quantity::W_Q, Quantity::scores, Quantity::value_weighted, Quantity::Y})
    CHECK(kept.shared_reach({quantity, 0, kNoHead}) == fresh.shared_reach({quantity, 0, kNoHead}));
  const Index token = input.n() - 1;
  CHECK(same_bits<float>(MatView<float>(kept.contributions_to(0, token)),
                         MatView<float>(fresh.contributions_to(0, token))));
  const bool both_nan = std::isnan(kept.score_spread(0)) && std::isnan(fresh.score_spread(0));
  CHECK((both_nan || kept.score_spread(0) == fresh.score_spread(0)));
  CHECK(kept.mask(0).pairs == fresh.mask(0).pairs);
  CHECK(kept.mask(0).blind == fresh.mask(0).blind);
}

}  // namespace

TEST_CASE("derived: W_QK of other head counts is another, though the weights are the same matrices", "[app][derived]") {
  const Document eight = hydra::apply(default_document(), SetEmbedding{Embedding::Kind::features, 1});
  DerivedCache kept;
  const auto before = evaluate(eight);
  kept.set_trace(before);
  kept.form({Quantity::query_key, 0, 1});
  const auto after = evaluate(hydra::apply(eight, SetHeads{4}), before.get());
  REQUIRE(after->layers.front().input.weights.W_Q == before->layers.front().input.weights.W_Q);
  kept.set_trace(after);
  DerivedCache fresh;
  fresh.set_trace(after);
  CHECK(same_bits<float>(kept.form({Quantity::query_key, 0, 1}), fresh.form({Quantity::query_key, 0, 1})));
}

TEST_CASE("derived: after random edits and layouts what is kept is what a fresh cache makes", "[app][derived]") {
  Random random(17);
  Document document = default_document();
  auto trace = evaluate(document);
  DerivedCache kept;
  int edits = 0;
  for (int k = 0; k < 600; ++k) {
    try {
      document = hydra::apply(document, random_edit(random, document));
      ++edits;
    } catch (const InputError&) {
    }
    trace = evaluate(document, trace.get());
    kept.set_trace(trace);
    for (std::uint64_t layouts = random.bits() % 4; layouts > 0; --layouts) kept.begin_frame();
    if (random.bits() % 3 == 0) continue;  // nothing is asked for
    const auto heads = static_cast<int>(trace->layers.front().heads.size());
    DerivedCache fresh;
    fresh.set_trace(trace);
    CAPTURE(k);
    check_same(kept, fresh, *trace, static_cast<int>(random.bits() % static_cast<std::uint64_t>(heads)));
  }
  CHECK(edits > 300);
}

TEST_CASE("derived cache: ranges leave out outliers where one number would make the rest look like nothing",
          "[app][derived]") {
  const auto reach = [](const Document& document, Quantity quantity, int layer = 0) {
    DerivedCache cache;
    cache.set_trace(evaluate(document));
    return cache.shared_reach({quantity, layer, kNoHead});
  };
  // The scores of designed and trained heads; in brackets the largest.
  const auto scores = [&](const char* name) { return reach(test::example(name), Quantity::scores); };
  CHECK(scores("designed_animal_tired").usual == Approx(79).epsilon(0.02));  // (123)
  CHECK(scores("designed_animal_tired").largest == Approx(123).epsilon(0.01));
  CHECK(scores("trained_grammar").usual == Approx(35).epsilon(0.02));  // (64)
  CHECK_FALSE(scores("heads_designed").has_outliers());
  CHECK_FALSE(scores("trained_king").has_outliers());
  CHECK_FALSE(scores("two_heads_by_hand").has_outliers());  // four numbers
  // Weights and what untrained ones give.
  int found = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Document document = default_document();
    document.layers[0].source.seed = seed;
    document.layers[0].weights = weights_of(document.layers[0].source, document.layers[0], document.columns());
    DerivedCache cache;
    cache.set_trace(evaluate(document));
    for (const Quantity quantity :
         {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O, Quantity::X, Quantity::Q, Quantity::K,
          Quantity::V, Quantity::scores, Quantity::output, Quantity::concat, Quantity::contribution, Quantity::Y}) {
      const Reach reached = cache.shared_reach({quantity, 0, kNoHead});
      if (reached.has_outliers())
        UNSCOPED_INFO(entry_of(quantity).key << " " << seed << " " << reached.usual << " " << reached.largest);
      found += reached.has_outliers();
      ++all;
    }
  }
  CHECK(found <= 1);  // a head that adds far more than the others
  CHECK(all == 780);
}

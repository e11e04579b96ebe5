// Heads of one layer that have masks, windows and temperatures of their own: each is what it would be in a layer of
// which all heads have them, whoever computes it.
#include <catch2/catch.hpp>

#include "core/attention/decoding.h"
#include "core/attention/forward.h"
#include "core/attention/ways.h"
#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

constexpr Index kHeadsRuled = 4;

Mask window_of(Index window) { return {Mask::Kind::causal, nullptr, window}; }

// A layer's mask drawn by hand, one none, a causal one, and one with a window; two temperatures.
template <class S>
LayerInput<S> ruled_layer(std::uint64_t seed, Index n, Index group_size = 1) {
  Random random(seed);
  LayerInput<S> input = test::random_layer<S>(random, n, 16, kHeadsRuled, true, group_size);
  input.mask = test::random_mask(random, n);
  input.settings.temperature = 0.7;
  input.own = {{input.mask, 0.7}, {Mask{}, 2}, {window_of(0), 0.7}, {window_of(3), 0.25}};
  return input;
}

// The same with what that head has for all of them.
template <class S>
LayerInput<S> all_as(LayerInput<S> input, Index head) {
  const HeadTerms terms = input.own[static_cast<std::size_t>(head)];
  input.own.clear();
  input.mask = terms.mask;
  input.settings.temperature = terms.temperature;
  return input;
}

}  // namespace

TEST_CASE("head rules: a head is to the bit what it is where all have its mask and its temperature", "[core][rules]") {
  for (const Index n : {1, 7, 65, 130})
    for (const bool keep_all : {true, false}) {
      LayerInput<float> input = ruled_layer<float>(5, n, n == 7 ? 2 : 1);
      input.keep_all = keep_all;
      const LayerTrace<float> trace = forward<float>(input);
      for (Index h = 0; h < kHeadsRuled; ++h) {
        const LayerTrace<float> alone = forward<float>(all_as(input, h));
        CAPTURE(n, h, keep_all);
        CHECK(same_bits(trace.heads[static_cast<std::size_t>(h)].attention,
                        alone.heads[static_cast<std::size_t>(h)].attention));
        CHECK(same_bits(scores_of(trace, h), scores_of(alone, h)));
        CHECK(same_bits(contribution_of(trace, h), contribution_of(alone, h)));
      }
    }
}

TEST_CASE("head rules: every way of computing and every thread follow them", "[core][rules]") {
  ThreadPool pool(3);
  for (const Index n : {1, 40, 129, 300}) {
    const LayerInput<double> input = ruled_layer<double>(9, n);
    const LayerTrace<double> trace = forward<double>(input);
    CHECK(same_bits(forward<double>(input, nullptr, &pool).output, trace.output));
    for (const WayEntry& way : ways()) {
      CAPTURE(n, way.key);
      CHECK((compute<double>(input, way.way).output - *trace.output).cwiseAbs().maxCoeff() <= 1e-12);
    }
  }
}

TEST_CASE("head rules: another rule makes the stages of its head anew and no other's", "[core][rules]") {
  LayerInput<float> input = ruled_layer<float>(6, 20);
  const LayerTrace<float> before = forward<float>(input);
  input.own[2].temperature = 1.5;
  const LayerTrace<float> after = forward<float>(input, &before);
  CHECK(same_bits(after.output, forward<float>(input).output));
  for (std::size_t h = 0; h < before.heads.size(); ++h)
    CHECK((after.heads[h].attention.stamp() == before.heads[h].attention.stamp()) == (h != 2));
  input.own.clear();
  CHECK(forward<float>(input).heads[0].attention.stamp() == before.heads[0].attention.stamp());
}

TEST_CASE("head rules: keys and values are kept for heads with windows of their own", "[core][rules][decoding]") {
  for (const Index group_size : {1, 2}) {
    LayerInput<double> layer = ruled_layer<double>(7, 30, group_size);
    layer.mask = window_of(5);
    layer.own = {{window_of(5), 0.7}, {window_of(0), 2}, {window_of(1), 0.7}, {window_of(9), 0.25}};
    const LayerTrace<double> whole = forward<double>(layer);
    Decoder<double> decoder(layer, 30);
    decoder.take(layer.X->topRows(4));
    for (Index t = 4; t < 30; ++t)
      REQUIRE((decoder.step(layer.X->row(t)) - whole.output->row(t)).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("head rules: what no head sees, and whether one sees it", "[core][rules]") {
  LayerInput<float> input = ruled_layer<float>(8, 6);
  CHECK(input.masks(0));
  CHECK(!input.masks(1));
  CHECK(!input.masks(kNoHead));  // the second sees all
  CHECK(input.sees(kNoHead, 0, 5));
  input.own[1].mask = window_of(2);
  CHECK(input.masks(kNoHead));
  CHECK(input.sees(3, 5, 3));
  CHECK(!input.sees(3, 5, 2));
  CHECK(input.sees(kNoHead, 5, 2));
}

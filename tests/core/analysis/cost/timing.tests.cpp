// Timing the ways: what is measured and in which order, what is left out, and that it can be stopped. Never how long it
// took.
#include "core/analysis/cost/timing.h"

#include <catch2/catch.hpp>

#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

LayerInput<float> some_layer(Index n = 6, Index kv_heads = 4) {
  Random random(9);
  return test::random_layer<float>(random, n, 16, 4, true, 4 / kv_heads);
}

Timings measured(const LayerInput<float>& layer, const std::vector<Index>& lengths, const TimingLimits& limits = {}) {
  return measure_ways(layer, lengths, limits, {}, {});
}

}  // namespace

TEST_CASE("timing: every way at every length, with what it holds at most", "[core][timing]") {
  const LayerInput<float> layer = some_layer();
  const std::vector<Index> lengths{1, 4, 300, 600};
  const Timings timings = measured(layer, lengths);
  REQUIRE(timings.ways.size() == 3 * lengths.size());
  CHECK(timings.left_out.empty());
  for (const Index n : lengths)
    for (const WayEntry& entry : ways()) {
      const WayTiming* timing = timing_of(timings, entry.way, n);
      REQUIRE(timing);
      CHECK(timing->peak_bytes == bytes_needed(layer, n, entry.way));
      CHECK(timing->runs >= 1);
      CHECK(timing->milliseconds > 0);
    }
  CHECK_FALSE(timing_of(timings, Way::tiled, 5));
  // Twice the tokens: patterns take four times as much, tiles no more than their projections.
  const auto bytes = [&](Way way, Index n) { return static_cast<double>(timing_of(timings, way, n)->peak_bytes); };
  CHECK(bytes(Way::combined, 600) > 3.8 * bytes(Way::combined, 300));
  CHECK(bytes(Way::tiled, 600) < 2 * bytes(Way::tiled, 300));
  CHECK(timings.largest_difference < 1e-5);
  CHECK(timings.largest_difference > 0);  // rounding: outputs were compared
}

TEST_CASE("timing: decoding holds keys and values, computing anew the tiles under a causal mask", "[core][timing]") {
  for (const Index kv_heads : {4, 1}) {
    const LayerInput<float> layer = some_layer(6, kv_heads);
    const Timings timings = measured(layer, {1, 2, 40, 300});
    REQUIRE(timings.steps.size() == 4);
    for (const StepTiming& step : timings.steps) {
      CHECK(step.kept_bytes == static_cast<std::size_t>(2 * step.n * 4 * kv_heads) * sizeof(float));
      CHECK(step.kept_milliseconds > 0);
      CHECK(step.anew_milliseconds > 0);
    }
    CHECK(timings.steps.back().n == 300);
    CHECK(timings.steps.back().anew_bytes == bytes_needed(layer, 300, Way::tiled));
  }
}

TEST_CASE("timing: what would need too much memory is left out and told", "[core][timing]") {
  const LayerInput<float> layer = some_layer();
  TimingLimits limits;
  limits.most_bytes = bytes_needed(layer, 200, Way::combined);
  const Timings timings = measured(layer, {100, 200, 201}, limits);
  CHECK(timings.ways.size() == 8);
  REQUIRE(timings.left_out.size() == 1);
  CHECK(timings.left_out[0].way == Way::combined);
  CHECK(timings.left_out[0].n == 201);
  CHECK(timings.left_out[0].bytes == bytes_needed(layer, 201, Way::combined));
  CHECK(timings.steps.size() == 3);
  limits.most_bytes = 0;
  CHECK(measured(layer, {8}, limits).ways.empty());
}

TEST_CASE("timing: it tells what it does, further and further", "[core][timing]") {
  std::vector<std::string> told;
  std::vector<std::size_t> points;
  double last = 0;
  TimingWatch watch;
  watch.now = [&](const std::string& what, double share) {
    told.push_back(what);
    CHECK(share >= last);
    CHECK(share < 1);
    last = share;
  };
  watch.found = [&](const Timings& timings) { points.push_back(timings.ways.size() + timings.steps.size()); };
  measure_ways(some_layer(), {2, 30}, {}, watch, {});
  CHECK(points == std::vector<std::size_t>{3, 6, 7, 8});
  for (const char* what : {"n = 2, loop over heads", "n = 30, in tiles", "n = 30, one token more"})
    CHECK(std::find(told.begin(), told.end(), what) != told.end());
}

TEST_CASE("timing: a stop ends it with what was found", "[core][timing]") {
  std::stop_source stop;
  TimingWatch watch;
  int after = 0;
  watch.now = [&](const std::string& what, double) {
    if (stop.stop_requested()) ++after;
    if (what.starts_with("n = 20")) stop.request_stop();
  };
  const Timings timings = measure_ways(some_layer(), {10, 20, 30}, {}, watch, stop.get_token());
  CHECK(timings.ways.size() == 3);
  CHECK(timings.steps.empty());
  CHECK(after == 0);
  std::stop_source before;
  before.request_stop();
  CHECK(measure_ways(some_layer(), {10}, {}, {}, before.get_token()).ways.empty());
}

TEST_CASE("timing: the layer is the document's but for its tokens", "[core][timing]") {
  LayerInput<float> layer = some_layer(6, 2);
  layer.settings.scale = false;
  layer.settings.temperature = 2;
  layer.gates = {1, 0, 1, 1};
  Random random(2);
  layer.mask = test::random_mask(random, 6);
  layer.painted.resize(4);
  layer.painted[0].values.push_back({0, share(RowVec<float>(RowVec<float>::Ones(4)))});
  for (const Index n : {3, 6, 50}) {
    const LayerInput<float> input = stretched(layer, n);
    CHECK(input.n() == n);
    CHECK(input.X->allFinite());
    CHECK(input.weights.W_Q == layer.weights.W_Q);
    CHECK(input.kv_heads() == 2);
    CHECK(input.gates == layer.gates);
    CHECK(input.settings.temperature == 2);
    CHECK_FALSE(input.settings.scale);
    CHECK(input.painted.empty());
    REQUIRE(input.mask.kind == Mask::Kind::custom);
    CHECK(input.mask.allowed->rows() == n);
    CHECK(input.mask.allows(1, 2) == layer.mask.allows(1, 2));
    CHECK(*stretched(layer, n).X == *input.X);
  }
}

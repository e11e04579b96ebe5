#include "core/attention/decoding.h"

#include <catch2/catch.hpp>

#include "tests/support/models/layers.h"

using namespace hydra;

TEST_CASE("decoding: every step is the last row of the full causal run", "[core][decoding]") {
  Random random(3);
  for (const bool biases : {false, true}) {
    const Index kv_heads = biases ? 2 : 4;
    LayerInput<double> layer = test::random_layer<double>(random, 40, 12, 4, biases, 4 / kv_heads, biases ? 5 : 0);
    layer.mask = test::causal_mask();
    layer.settings.temperature = 0.7;
    if (biases) layer.gates = {1, 0.5, 0, 2};
    const LayerTrace<double> whole = forward<double>(layer);
    Decoder<double> decoder(layer, 40);
    for (Index t = 0; t < 40; ++t) {
      const RowVec<double> y = decoder.step(layer.X->row(t));
      REQUIRE((y - whole.output->row(t)).cwiseAbs().maxCoeff() < 1e-12);
      // The whole run over the tokens so far, which is what recomputing would do.
      if (t % 13 != 5) continue;
      LayerInput<double> part = layer;
      part.X = share(Mat<double>(layer.X->topRows(t + 1)));
      REQUIRE((y - forward<double>(part).output->row(t)).cwiseAbs().maxCoeff() < 1e-12);
    }
    CHECK(decoder.tokens() == 40);
    CHECK(decoder.cache_bytes() == 2u * 40 * static_cast<std::size_t>(layer.d_k() * kv_heads) * sizeof(double));
  }
}

TEST_CASE("decoding: tokens taken at once leave what steps would", "[core][decoding]") {
  Random random(4);
  for (const Index kv_heads : {4, 1}) {
    LayerInput<double> layer = test::random_layer<double>(random, 30, 12, 4, true, 4 / kv_heads);
    layer.mask = test::causal_mask();
    const LayerTrace<double> whole = forward<double>(layer);
    Decoder<double> decoder(layer, 30);
    decoder.take(layer.X->topRows(20));
    decoder.take(layer.X->middleRows(20, 1));
    decoder.take(layer.X->middleRows(21, 0));
    CHECK(decoder.tokens() == 21);
    for (Index t = 21; t < 30; ++t)
      REQUIRE((decoder.step(layer.X->row(t)) - whole.output->row(t)).cwiseAbs().maxCoeff() < 1e-12);
  }
}

#include <catch2/catch.hpp>

#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

Mat<float> scaled_rows(const Mat<float>& W_O, const std::vector<float>& gates) {
  const Index d_k = W_O.rows() / static_cast<Index>(gates.size());
  Mat<float> scaled = W_O;
  for (std::size_t h = 0; h < gates.size(); ++h) scaled.middleRows(static_cast<Index>(h) * d_k, d_k) *= gates[h];
  return scaled;
}

}  // namespace

TEST_CASE("gates: a gate is its head's rows of W_O times a number", "[core][gates]") {
  Random random(3);
  LayerInput<float> input = test::random_layer<float>(random, 9, 12, 4, true);
  LayerInput<float> scaled = input;
  input.gates = {1, 0.25f, 2, 0};
  scaled.weights.W_O = share(scaled_rows(*input.weights.W_O, input.gates));
  const LayerTrace<float> gated = forward<float>(input), expected = forward<float>(scaled);
  // Powers of two scale without rounding.
  CHECK(same_bits<float>(gated.output, expected.output));
  for (std::size_t h = 0; h < 4; ++h) {
    CHECK(same_bits<float>(gated.heads[h].output, expected.heads[h].output));
    CHECK(*gated.heads[h].contribution == *expected.heads[h].contribution);
    const auto first = static_cast<Index>(3 * h);
    CHECK(gated.concat->middleCols(first, 3) == input.gates[h] * *gated.heads[h].output);
  }
  // Both readings of the output.
  const Mat<float> product = (*gated.concat * *input.weights.W_O).rowwise() + input.weights.b_O->row(0);
  CHECK((product - *gated.output).cwiseAbs().maxCoeff() < 1e-5f);
}

TEST_CASE("gates: at 1 they are not there", "[core][gates]") {
  Random random(4);
  LayerInput<float> input = test::random_layer<float>(random, 5, 8, 4);
  const LayerTrace<float> plain = forward<float>(input);
  input.gates = {1, 1, 1, 1};
  const LayerTrace<float> gated = forward<float>(input, &plain);
  CHECK(gated.output == plain.output);
  for (std::size_t h = 0; h < 4; ++h) CHECK(gated.heads[h].contribution == plain.heads[h].contribution);
}

TEST_CASE("gates: a changed gate renews what follows it, and no more", "[core][gates]") {
  Random random(5);
  LayerInput<float> input = test::random_layer<float>(random, 70, 16, 4);
  const LayerTrace<float> before = forward<float>(input);
  input.gates = {1, 1, 0.3f, 1};
  const LayerTrace<float> after = forward<float>(input, &before), scratch = forward<float>(input);
  for (std::size_t h = 0; h < 4; ++h) {
    CHECK(after.heads[h].output == before.heads[h].output);
    CHECK((after.heads[h].contribution == before.heads[h].contribution) == (h != 2));
    CHECK(same_bits<float>(after.heads[h].contribution, scratch.heads[h].contribution));
  }
  CHECK(same_bits<float>(after.concat, scratch.concat));
  CHECK(same_bits<float>(after.output, scratch.output));
  const LayerTrace<float> open = ungated(after);
  CHECK(open.input.gates.empty());
  CHECK(same_bits<float>(open.output, before.output));
}

TEST_CASE("gates: silence is silence, whatever the head gives", "[core][gates]") {
  Random random(6);
  LayerInput<float> input = test::random_layer<float>(random, 3, 4, 2);
  Mat<float> W_V = *input.weights.W_V;
  W_V.leftCols(2).setConstant(std::numeric_limits<float>::max());
  input.weights.W_V = share(std::move(W_V));
  CHECK_FALSE(forward<float>(input).output->allFinite());
  input.gates = {0, 1};
  const LayerTrace<float> silenced = forward<float>(input);
  CHECK(silenced.output->allFinite());
  CHECK(silenced.heads[0].contribution->isZero(0));
}

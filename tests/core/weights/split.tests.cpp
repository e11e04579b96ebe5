#include "core/weights/split.h"

#include <catch2/catch.hpp>

#include "core/attention/forward.h"
#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;

TEST_CASE("split: slices keep the blocks of the diagonal", "[core][split]") {
  const Array<float> W = share((Mat<float>(4, 4) << 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16).finished());
  CHECK(*sliced(W, 2) == (Mat<float>(4, 4) << 1, 2, 0, 0, 5, 6, 0, 0, 0, 0, 11, 12, 0, 0, 15, 16).finished());
  CHECK(*sliced(W, 4) == *W);
  CHECK(sliced(W, 1, -1)->diagonal() == W->diagonal());
  CHECK((*sliced(W, 1, -1))(0, 3) == -1);
  CHECK(reads(Split::slice, 2, 3, 2));
  CHECK_FALSE(reads(Split::slice, 2, 1, 2));
  CHECK(reads(Split::projection, 2, 1, 2));
}

TEST_CASE("split: a head of slices has no use for the rest of the embedding", "[core][split]") {
  Random random(4);
  LayerInput<float> layer = test::random_layer<float>(random, 5, 12, 3);
  const AttentionWeights<float> stored = layer.weights;
  CHECK(restricted(stored, 4, Split::projection).W_Q == stored.W_Q);
  layer.weights = restricted(stored, 4, Split::slice);
  CHECK(layer.weights.W_O == stored.W_O);
  const LayerTrace<float> before = forward<float>(layer);
  Mat<float> X = *layer.X;
  X.rightCols(4).setConstant(9);  // the slice of the last head
  layer.X = share(std::move(X));
  const LayerTrace<float> after = forward<float>(layer);
  for (const std::size_t h : {0u, 1u}) CHECK(same_bits<float>(after.heads[h].output, before.heads[h].output));
  CHECK_FALSE(same_bits<float>(after.heads[2].output, before.heads[2].output));
}

TEST_CASE("split: identity weights are their own slices", "[core][split]") {
  const AttentionWeights<float> weights = initial_weights({12, 12, 12}, Init::identity, 1);
  for (const Index d_k : {1, 3, 12}) {
    const AttentionWeights<float> used = restricted(weights, d_k, Split::slice);
    CHECK(same_bits<float>(used.W_Q, weights.W_Q));
    CHECK(same_bits<float>(used.W_V, weights.W_V));
  }
}

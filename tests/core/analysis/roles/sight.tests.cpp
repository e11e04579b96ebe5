#include "core/analysis/roles/sight.h"

#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("sight: the lengths of a head's rows, by hand", "[core][sight]") {
  AttentionWeights<float> weights = initial_weights({4, 4, 4}, Init::zero, 0);
  weights.W_Q = share((Mat<float>(4, 4) << 1, 1, 3, 4, 2, 2, 0, 0, 0, 0, 5, 12, 0, 0, 0, -2).finished());
  weights.W_V = share((Mat<float>(4, 4) << 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 15).finished());
  const Mat<float> whole = (Mat<float>(3, 4) << 5, 0, 13, 2, 0, 0, 0, 0, 7, 0, 0, 17).finished();
  const Mat<float> slice = (Mat<float>(3, 4) << 0, 0, 13, 2, 0, 0, 0, 0, 0, 0, 0, 17).finished();
  CHECK(head_sight(weights, 2, 1, Split::projection) == whole);
  CHECK(head_sight(weights, 2, 1, Split::slice) == slice);
  CHECK(head_sight(weights, 1, 0, Split::slice) == head_sight(weights, 1, 0, Split::projection));
}

TEST_CASE("sight: a slice is what it is after the other rows are zeroed", "[core][sight]") {
  const AttentionWeights<float> weights = initial_weights({12, 12, 12}, Init::xavier, 5);
  for (const Index heads : {1, 2, 3, 12})
    for (Index h = 0; h < heads; ++h) {
      const AttentionWeights<float> used = restricted(weights, 12 / heads, Split::slice);
      CHECK(head_sight(weights, heads, h, Split::slice) == head_sight(used, heads, h, Split::projection));
    }
}

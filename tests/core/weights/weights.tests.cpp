#include "core/weights/weights.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;

TEST_CASE("weights: Xavier's are uniform within sqrt(6 / 2d), each matrix its own stream", "[core][weights]") {
  const AttentionWeights<float> w = initial_weights({64, 64, 64}, Init::xavier, 7);
  const double bound = std::sqrt(6.0 / 128);
  for (const Array<float>& W : {w.W_Q, w.W_K, w.W_V, w.W_O}) {
    CHECK(W->cwiseAbs().maxCoeff() <= bound);
    CHECK(W->cwiseAbs().maxCoeff() > 0.99 * bound);
    CHECK(std::abs(W->mean()) < 5 * bound / std::sqrt(3.0) / 64);  // five standard errors
    CHECK(W->squaredNorm() / 4096 == Approx(bound * bound / 3).epsilon(0.1));
  }
  CHECK(*w.W_Q != *w.W_K);
  CHECK(*w.W_V != *w.W_O);
  CHECK(w.b_Q == nullptr);
}

TEST_CASE("weights: the seed decides", "[core][weights]") {
  CHECK(*initial_weights({8, 8, 8}, Init::xavier, 7).W_Q == *initial_weights({8, 8, 8}, Init::xavier, 7).W_Q);
  CHECK(*initial_weights({8, 8, 8}, Init::xavier, 7).W_Q != *initial_weights({8, 8, 8}, Init::xavier, 8).W_Q);
  // The same bits on every machine: documents made by editing random weights depend on it.
  const Mat<float> W = *initial_weights({64, 64, 64}, Init::xavier, 7).W_Q;
  CHECK(W(0, 0) == 0x1.b7f1940000000p-3f);
  CHECK(W(63, 63) == 0x1.d668900000000p-4f);
}

TEST_CASE("weights: identity and zero", "[core][weights]") {
  CHECK(initial_weights({5, 5, 5}, Init::identity, 1).W_V->isIdentity(0));
  CHECK(initial_weights({5, 5, 5}, Init::zero, 1).W_O->isZero(0));
}

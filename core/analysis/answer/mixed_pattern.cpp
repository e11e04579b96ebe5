#include "core/analysis/answer/mixed_pattern.h"

#include <cassert>

namespace hydra {

namespace {

// [2 d_model x cols] that reads one half of a row and nothing of the other.
Array<float> reading(const Array<float>& weights, bool second) {
  if (!weights) return {};
  Mat<float> both = Mat<float>::Zero(2 * weights.rows(), weights.cols());
  both.middleRows(second ? weights.rows() : 0, weights.rows()) = *weights;
  return share(std::move(both));
}

}  // namespace

// Both streams stand side by side in X; W_Q reads the one, all else the other.
Array<float> mixed_pattern(const LayerTrace<float>& queries, const LayerTrace<float>& keys, Index head) {
  assert(queries.input.n() == keys.input.n() && queries.input.d_model() == keys.input.d_model());
  LayerInput<float> input = keys.input;
  Mat<float> X(input.n(), 2 * input.d_model());
  X << *keys.input.X, *queries.input.X;
  AttentionWeights<float>& weights = input.weights;
  weights.W_Q = reading(weights.W_Q, true);
  for (Array<float>* const read : {&weights.W_K, &weights.W_V, &weights.W_G, &weights.w_G})
    *read = reading(*read, false);
  weights.W_O = share(Mat<float>(Mat<float>::Zero(weights.W_O.rows(), 2 * weights.W_O.cols())));
  weights.b_O = {};
  input.painted.clear();
  input.X = share(std::move(X));
  return forward(std::move(input)).heads[static_cast<std::size_t>(head)].attention;
}

}  // namespace hydra

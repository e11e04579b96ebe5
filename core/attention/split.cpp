#include "core/attention/split.h"

namespace hydra {

MatPtr<float> sliced(const Mat<float>& matrix, Index d_k, float other) {
  Mat<float> values = Mat<float>::Constant(matrix.rows(), matrix.cols(), other);
  for (Index first = 0; first < matrix.cols(); first += d_k)
    values.block(first, first, d_k, d_k) = matrix.block(first, first, d_k, d_k);
  return share(std::move(values));
}

AttentionWeights<float> restricted(const AttentionWeights<float>& weights, Index d_k, Split split) {
  AttentionWeights<float> used = weights;
  if (split == Split::projection) return used;
  for (MatPtr<float>* W : {&used.W_Q, &used.W_K, &used.W_V}) *W = sliced(**W, d_k);
  return used;
}

}  // namespace hydra

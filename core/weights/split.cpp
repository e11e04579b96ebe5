#include "core/weights/split.h"

namespace hydra {

Array<float> sliced(const Array<float>& matrix, Index d_k, float other) {
  Mat<float> values = Mat<float>::Constant(matrix.rows(), matrix.cols(), other);
  std::vector<Stamp> stamps;
  for (Index col = 0; col < matrix.cols(); ++col) {
    const Index first = col / d_k * d_k;
    values.col(col).segment(first, d_k) = matrix->col(col).segment(first, d_k);
    stamps.push_back((Key("slice") << matrix.stamp_of_columns(col, 1) << d_k << other).stamp());
  }
  return share_columns(std::move(values), std::move(stamps));
}

AttentionWeights<float> restricted(const AttentionWeights<float>& weights, Index d_k, Split split) {
  AttentionWeights<float> used = weights;
  if (split == Split::projection) return used;
  for (Array<float>* W : {&used.W_Q, &used.W_K, &used.W_V}) *W = sliced(*W, d_k);
  return used;
}

}  // namespace hydra

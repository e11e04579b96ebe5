#include "core/analysis/roles/sight.h"

#include <cassert>

namespace hydra {

Mat<float> head_sight(const AttentionWeights<float>& weights, Index heads, Index head, Split split) {
  const Index d_model = weights.W_Q.rows(), d_k = weights.W_Q.cols() / heads, first = head * d_k;
  assert(0 <= head && head < heads && (split == Split::projection || d_k * heads == d_model));
  const Index begin = split == Split::slice ? first : 0, count = split == Split::slice ? d_k : d_model;
  Mat<float> sight = Mat<float>::Zero(3, d_model);
  Index row = 0;
  const Index kv_first = kv_column(weights, heads, head);
  for (const Array<float>* W : {&weights.W_Q, &weights.W_K, &weights.W_V})
    sight.row(row++).segment(begin, count) =
        (*W)->block(begin, W == &weights.W_Q ? first : kv_first, count, d_k).rowwise().norm().transpose();
  return sight;
}

}  // namespace hydra

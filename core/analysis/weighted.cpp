#include "core/analysis/weighted.h"

#include <cassert>

#include "core/linalg/matmul.h"

namespace hydra {

Mat<float> value_weighted_attention(const LayerTrace<float>& layer, int head) {
  const HeadTrace<float>& trace = layer.heads[static_cast<std::size_t>(head)];
  const Index d_k = layer.input.d_k();
  Mat<float> carried(trace.V->rows(), layer.input.d_model());  // row j: v_j W_O^i, b_V included
  multiply<float>(*trace.V, layer.input.weights.W_O->middleRows(head * d_k, d_k), carried);
  const RowVec<float> norms = layer.input.gate(head) * carried.rowwise().norm().transpose();
  return trace.attention->array().rowwise() * norms.array();
}

Mat<float> mean_attention(const LayerTrace<float>& layer, const std::vector<int>& heads) {
  assert(!heads.empty());
  const Index n = layer.input.n();
  Mat<float> mean = Mat<float>::Zero(n, n);
  for (const int head : heads) mean += *layer.heads[static_cast<std::size_t>(head)].attention;
  return mean / static_cast<float>(heads.size());
}

}  // namespace hydra

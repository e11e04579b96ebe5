#include "core/analysis/weighted.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/linalg/matmul.h"

namespace hydra {

namespace {

// ||v_j W_O^i||, by key; b_V included.
RowVec<float> carried_norms(const LayerTrace<float>& layer, int head) {
  const HeadTrace<float>& trace = layer.heads[static_cast<std::size_t>(head)];
  const Index d_k = layer.input.d_k();
  Mat<float> carried(trace.V->rows(), layer.input.d_model());
  multiply<float>(*trace.V, Factor<float>(layer.input.weights.W_O).row_block(head * d_k, d_k), carried);
  return layer.input.gate(head) * carried.rowwise().norm().transpose();
}

}  // namespace

Mat<float> value_weighted_attention(const LayerTrace<float>& layer, int head) {
  return layer.heads[static_cast<std::size_t>(head)].attention->array().rowwise() * carried_norms(layer, head).array();
}

float largest_value_weighted(const LayerTrace<float>& layer, int head) {
  const MatView<float> attention = *layer.heads[static_cast<std::size_t>(head)].attention;
  const RowVec<float> columns = attention.cwiseAbs().colwise().maxCoeff().array() * carried_norms(layer, head).array();
  float largest = 0;
  for (const float value : columns)
    if (std::isfinite(value)) largest = std::max(largest, value);
  return largest;
}

Mat<float> mean_attention(const LayerTrace<float>& layer, const std::vector<int>& heads) {
  assert(!heads.empty());
  const Index n = layer.input.n();
  Mat<float> mean = Mat<float>::Zero(n, n);
  for (const int head : heads) mean += *layer.heads[static_cast<std::size_t>(head)].attention;
  return mean / static_cast<float>(heads.size());
}

}  // namespace hydra

#include "core/analysis/redrawn_heads.h"

namespace hydra {

namespace {

void redraw(Random& random, Eigen::Ref<Mat<float>, 0, Eigen::OuterStride<>> block) {
  const float size = block.norm();
  for (Index i = 0; i < block.rows(); ++i)
    for (Index j = 0; j < block.cols(); ++j) block(i, j) = static_cast<float>(random.normal());
  if (const float drawn = block.norm(); drawn > 0) block *= size / drawn;
}

}  // namespace

LayerTrace<float> with_heads_redrawn(const LayerInput<float>& layer, Random& random, ThreadPool* pool) {
  LayerInput<float> input = layer;
  AttentionWeights<float>& weights = input.weights;
  const Index d_k = input.d_k();
  for (Array<float>* const columns : {&weights.W_Q, &weights.W_K, &weights.W_V}) {
    Mat<float> drawn = **columns;
    for (Index c = 0; c < drawn.cols(); c += d_k) redraw(random, drawn.middleCols(c, d_k));
    *columns = share(std::move(drawn));
  }
  Mat<float> W_O = *weights.W_O;
  for (Index r = 0; r < W_O.rows(); r += d_k) redraw(random, W_O.middleRows(r, d_k));
  weights.W_O = share(std::move(W_O));
  weights.b_Q = weights.b_K = weights.b_V = weights.b_O = {};
  input.painted.clear();
  input.gates.clear();
  return forward(std::move(input), static_cast<const LayerTrace<float>*>(nullptr), pool);
}

}  // namespace hydra

#include "core/analysis/rollout.h"

#include "core/analysis/weighted.h"

namespace hydra {

namespace {

void divide_rows_by_sums(Mat<double>& rows) {
  for (Index i = 0; i < rows.rows(); ++i)
    if (const double sum = rows.row(i).sum(); sum > 0) rows.row(i) /= sum;
}

Mat<double> step_of(const LayerTrace<float>& layer, RolloutKind kind) {
  const Index n = layer.input.n();
  Mat<double> step = Mat<double>::Zero(n, n);
  for (int h = 0; h < static_cast<int>(layer.heads.size()); ++h) {
    if (kind == RolloutKind::value_weighted)
      step += value_weighted_attention(layer, h).cast<double>();
    else
      step += layer.heads[static_cast<std::size_t>(h)].attention->cast<double>();
  }
  if (kind == RolloutKind::value_weighted)
    divide_rows_by_sums(step);
  else
    step /= static_cast<double>(layer.heads.size());
  if (layer.input.settings.residual) step = 0.5 * (step + Mat<double>::Identity(n, n));
  divide_rows_by_sums(step);
  return step;
}

}  // namespace

Mat<double> rollout(const Trace& trace, int layers, RolloutKind kind, ThreadPool* pool) {
  const Index n = trace.X.rows();
  Mat<double> reached = Mat<double>::Identity(n, n);
  for (int k = 0; k < layers; ++k) {
    const LayerTrace<float>& layer = trace.layer(k);
    const Mat<double> step =
        layer.is_whole() ? step_of(layer, kind) : step_of(forward<float>(layer.input, nullptr, pool), kind);
    reached = (step * reached).eval();
  }
  return reached;
}

}  // namespace hydra

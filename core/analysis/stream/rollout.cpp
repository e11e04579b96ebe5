#include "core/analysis/stream/rollout.h"

#include <algorithm>

#include "core/analysis/shares.h"
#include "core/analysis/weighted.h"
#include "core/work/parallel.h"
#include "core/work/progress.h"

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
      step += value_weighted_attention(layer, h).cast<double>().cwiseAbs();
    else
      step += attention_shares(layer, h)->cast<double>();
  }
  if (kind == RolloutKind::value_weighted)
    divide_rows_by_sums(step);
  else
    step /= static_cast<double>(layer.heads.size());
  if (layer.input.settings.residual) step = 0.5 * (step + Mat<double>::Identity(n, n));
  divide_rows_by_sums(step);
  return step;
}

// By blocks of rows, so that the bits do not depend on who computes them.
Mat<double> product(const Mat<double>& step, const Mat<double>& before, ThreadPool* pool) {
  constexpr Index kRows = 64;
  Mat<double> result(step.rows(), before.cols());
  parallel_for(pool, (step.rows() + kRows - 1) / kRows, [&](Index block) {
    const Index first = block * kRows, rows = std::min(kRows, step.rows() - first);
    result.middleRows(first, rows).noalias() = step.middleRows(first, rows) * before;
  });
  return result;
}

}  // namespace

Rollout rollout_steps(const Trace& trace, int layers, RolloutKind kind, ThreadPool* pool, const std::stop_token& stop) {
  const Index n = trace.X.rows();
  Rollout out;
  out.before = out.step = out.reached = Mat<double>::Identity(n, n);
  for (int k = 0; k < layers; ++k) {
    Progress{stop}.check();
    const LayerTrace<float>& layer = trace.layer(k);
    out.step = layer.is_whole() ? step_of(layer, kind) : step_of(forward<float>(layer.input, nullptr, pool), kind);
    out.before = std::move(out.reached);
    out.reached = product(out.step, out.before, pool);
  }
  return out;
}

Mat<double> rollout(const Trace& trace, int layers, RolloutKind kind, ThreadPool* pool) {
  return rollout_steps(trace, layers, kind, pool).reached;
}

}  // namespace hydra

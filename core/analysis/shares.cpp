#include "core/analysis/shares.h"

#include <algorithm>
#include <cmath>

namespace hydra {

Mat<float> shares_of(MatIn<float> weights) {
  Mat<float> shares = weights.cwiseAbs();
  for (Index i = 0; i < shares.rows(); ++i)
    if (const float sum = shares.row(i).sum(); sum > 1) shares.row(i) /= sum;
  return shares;
}

Array<float> attention_shares(const LayerTrace<float>& layer, Index head) {
  const Array<float>& attention = layer.heads[static_cast<std::size_t>(head)].attention;
  if (!is_signed(layer.input.settings)) return attention;
  return share(shares_of(*attention), (Key("shares") << attention.stamp()).stamp());
}

std::optional<std::vector<double>> sink_shares(const LayerTrace<float>& layer, Index head) {
  if (layer.input.settings.sink == SinkKind::none || is_signed(layer.input.settings)) return std::nullopt;
  const MatView<float> weights = *layer.heads[static_cast<std::size_t>(head)].attention;
  std::vector<double> shares;
  for (Index i = 0; i < weights.rows(); ++i) {
    const double left = 1 - weights.row(i).cast<double>().sum();
    shares.push_back(left < 0 ? 0 : left);  // by rounding; what is no number stays one
  }
  if (!layer.input.painted.empty())
    for (const PaintedRow<float>& row : layer.input.painted[static_cast<std::size_t>(head)].attention)
      shares[static_cast<std::size_t>(row.row)] = 0;
  return shares;
}

namespace {

// Rows are computed in matrices of their own, which start at a boundary of vectors: so the bits do not depend on the
// address.
using LogRow = Eigen::Array<double, 1, Eigen::Dynamic>;

// ln of softmax(scores) by row, in the place of the scores; with a sink of softmax([scores, sink]).
void to_log_softmax(std::optional<float> sink, Mat<double>& scores) {
  for (Index i = 0; i < scores.rows(); ++i) {
    LogRow row = scores.row(i).array();
    const double top = row.maxCoeff<Eigen::PropagateNaN>();
    if (!std::isfinite(top)) {
      scores.row(i).setConstant(kLogOfZero);
      continue;
    }
    // The sink may be on top; then what is left is scaled by it.
    const double high = sink ? std::max(top, static_cast<double>(*sink)) : top;
    double sum = (row - high).exp().sum();
    if (sink) sum += std::exp(static_cast<double>(*sink) - high);
    scores.row(i) = (row - (high + std::log(sum))).max(kLogOfZero);  // masked ones are -inf
  }
}

// A pattern that softmax gives, and what it is multiplied by in the head's.
struct SoftmaxPart {
  Mat<double> logs;
  double factor = 1;
};

Mat<double> log_softmax(const LayerTrace<float>& layer, Quantity scores, Index head) {
  Mat<double> logs = pattern_once(layer, scores, head)->cast<double>();
  to_log_softmax(layer.input.sink(head), logs);
  return logs;
}

// What the head's weights are the sum of.
std::vector<SoftmaxPart> parts_of(const LayerTrace<float>& layer, Index head) {
  std::vector<SoftmaxPart> parts;
  if (talk_after(layer.input.settings)) {
    for (Index l = 0; l < layer.input.heads; ++l)
      if (const auto factor = static_cast<double>((*layer.input.weights.P_W)(head, l)); factor != 0)
        parts.push_back({log_softmax(layer, Quantity::scores, l), factor});
    return parts;
  }
  parts.push_back({log_softmax(layer, Quantity::scores, head), 1});
  if (layer.input.settings.differential && (*layer.lambda)(0, 0) != 0)
    parts.push_back({log_softmax(layer, Quantity::scores_2, head), -static_cast<double>((*layer.lambda)(0, 0))});
  return parts;
}

// ln |sum of the parts|, each times its factor, of one weight; what is cancelled out is what a float has of it.
double log_of_sum(const std::vector<SoftmaxPart>& parts, Index i, Index j, float weight) {
  double top = kLogOfZero;
  for (const SoftmaxPart& part : parts) top = std::max(top, part.logs(i, j) + std::log(std::abs(part.factor)));
  if (top < kLogOfZero / 2) return kLogOfZero;
  double sum = 0;
  for (const SoftmaxPart& part : parts)
    sum += std::copysign(std::exp(part.logs(i, j) + std::log(std::abs(part.factor)) - top), part.factor);
  if (sum != 0) return top + std::log(std::abs(sum));
  return weight != 0 ? std::log(static_cast<double>(std::abs(weight))) : kLogOfZero;
}

// Rows whose sizes sum to more than 1 are divided by the sum.
Mat<double> logs_of_sizes(const std::vector<SoftmaxPart>& parts, MatIn<float> attention) {
  Mat<double> logs(attention.rows(), attention.cols());
  for (Index i = 0; i < logs.rows(); ++i) {
    LogRow row(logs.cols());
    for (Index j = 0; j < logs.cols(); ++j) row(j) = log_of_sum(parts, i, j, attention(i, j));
    const double sum = row.exp().sum();
    if (sum > 1) row = (row - std::log(sum)).max(kLogOfZero);
    logs.row(i) = row;
  }
  return logs;
}

}  // namespace

Mat<double> log_shares(const LayerTrace<float>& layer, Index head) {
  std::vector<SoftmaxPart> parts = parts_of(layer, head);
  Mat<double> logs = is_signed(layer.input.settings)
                         ? logs_of_sizes(parts, *layer.heads[static_cast<std::size_t>(head)].attention)
                         : std::move(parts.front().logs);
  if (const PaintedHead<float>* painted = painted_head(layer.input.painted, head))
    for (const PaintedRow<float>& row : painted->attention) {
      const LogRow weights = row.values->row(0).array().cast<double>();
      const LogRow ln = weights.max(1e-300).log();
      logs.row(row.row) = (weights > 0).select(ln, kLogOfZero);
    }
  return logs;
}

}  // namespace hydra

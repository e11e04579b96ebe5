#include "core/weights/painting.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/short_number.h"

namespace hydra {

namespace {

void check_weights(const RowVec<float>& weights) {
  for (Index j = 0; j < weights.size(); ++j)
    if (!std::isfinite(weights(j)) || weights(j) < 0)
      throw InputError("the weight of token " + std::to_string(j) + " is " +
                       short_number(static_cast<double>(weights(j))) + "; weights are finite and not negative");
}

double sum_of(const RowVec<float>& weights) { return weights.cast<double>().sum(); }

}  // namespace

template <class S>
const Array<S>* painted_row(const std::vector<PaintedRow<S>>& rows, Index row) {
  const auto found =
      std::lower_bound(rows.begin(), rows.end(), row, [](const PaintedRow<S>& r, Index k) { return r.row < k; });
  return found != rows.end() && found->row == row ? &found->values : nullptr;
}

void check_painted_attention(const Mask& mask, Index query, const RowVec<float>& weights) {
  check_weights(weights);
  for (Index j = 0; j < weights.size(); ++j)
    if (weights(j) != 0 && !mask.allows(query, j))
      throw InputError("the mask hides token " + std::to_string(j) + " from token " + std::to_string(query) +
                       ", so its weight must be 0, not " + short_number(static_cast<double>(weights(j))));
  const double sum = sum_of(weights);
  if (std::abs(sum - 1) > kPaintedSumError)
    throw InputError("the weights sum to " + short_number(sum) +
                     "; the weights of a row must sum to 1, as they do before dropout");
}

RowVec<float> uniform_row(const Mask& mask, Index query, Index n) {
  Index allowed = 0;
  for (Index j = 0; j < n; ++j) allowed += mask.allows(query, j) ? 1 : 0;
  RowVec<float> row = RowVec<float>::Zero(n);
  for (Index j = 0; j < n; ++j)
    if (mask.allows(query, j)) row(j) = 1 / static_cast<float>(allowed);
  return row;
}

RowVec<float> with_weight(const RowVec<float>& weights, const Mask& mask, Index query, Index key, float weight) {
  const Index n = weights.size();
  double others = 0;
  Index count = 0;
  for (Index j = 0; j < n; ++j) {
    if (j == key || !mask.allows(query, j)) continue;
    others += std::abs(static_cast<double>(weights(j)));
    ++count;
  }
  if (!mask.allows(query, key) || count == 0) return weights;
  const double set = std::clamp(static_cast<double>(weight), 0.0, 1.0), rest = 1 - set;
  RowVec<float> row = RowVec<float>::Zero(n);
  for (Index j = 0; j < n; ++j) {
    if (j == key || !mask.allows(query, j)) continue;
    const double share =
        others > 0 ? std::abs(static_cast<double>(weights(j))) / others : 1.0 / static_cast<double>(count);
    row(j) = static_cast<float>(rest * share);
  }
  row(key) = static_cast<float>(set);
  return row;
}

RowVec<float> normalized(const RowVec<float>& weights) {
  check_weights(weights);
  const double sum = sum_of(weights);
  if (!(sum > 0)) throw InputError("all weights are 0; the weights of a row must sum to 1");
  constexpr double rounding = 1e-6;                              // what floats that are to sum to 1 are off by
  if (std::abs(sum - 1) <= rounding) return weights.cwiseAbs();  // no -0
  return (weights.cast<double>().cwiseAbs() / sum).cast<float>();
}

template const Array<float>* painted_row(const std::vector<PaintedRow<float>>&, Index);
template const Array<double>* painted_row(const std::vector<PaintedRow<double>>&, Index);

}  // namespace hydra

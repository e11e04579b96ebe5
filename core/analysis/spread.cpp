#include "core/analysis/spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hydra {

Spread spread_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size();
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  // Rounding must not move the mean of equal values away from them.
  const double mean = std::clamp(sum / static_cast<double>(count), values.front(), values.back());
  return {values.front(), (values[(count - 1) / 2] + values[count / 2]) / 2, mean, values.back(),
          static_cast<Index>(count)};
}

}  // namespace hydra

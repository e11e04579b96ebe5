#include "app/widgets/plot/plot_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/draw/nth.h"

namespace hydra {

namespace {
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
}

std::span<const double> PlotValues::all() const {
  const std::span<const double> all(of_ ? *of_ : own_);
  return most_ < 0 ? all : all.first(std::min(all.size(), static_cast<std::size_t>(most_)));
}

double value_at(const PlotSeries& series, int step) {
  return step < series.first ? kNaN : series.y.at((step - series.first) / series.apart);
}

double value_above(const std::vector<PlotSeries>& all, double share) {
  static thread_local std::vector<double> values;
  constexpr int most = 512;  // of a series
  values.clear();
  for (const PlotSeries& series : all)
    for (int k = 0, count = series.y.size(), apart = std::max(1, count / most); k < count; k += apart)
      if (const double value = series.y.at(k); std::isfinite(value)) values.push_back(value);
  if (values.empty()) return kNaN;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

double usual_high(const std::vector<PlotSeries>& series) {
  const double most = value_above(series, 1), usual = value_above(series, 0.98);
  return most <= 1.5 * usual ? most : usual;
}

}  // namespace hydra

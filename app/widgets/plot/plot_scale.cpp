#include "app/widgets/plot/plot_scale.h"

#include <algorithm>
#include <cmath>

#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/widgets/plot/chart_labels.h"

namespace hydra {

namespace {
constexpr float kNumbersApart = 1.2f;  // of their heights: upright ones do not touch
}  // namespace

std::vector<double> levels_of(const PlotAxis& axis, int most) {
  std::vector<double> found;
  if (axis.logarithmic) {
    const double base = std::log(axis.base);
    const double first = std::ceil(std::log(axis.low) / base - 1e-9), last = std::log(axis.high) / base + 1e-9;
    for (double power = first; power <= last; ++power) found.push_back(std::pow(axis.base, power));
    return found;
  }
  const double step = ui::nice_ceiling((axis.high - axis.low) / std::max(1, most));
  const double first = std::ceil(axis.low / step - 1e-6), last = std::floor(axis.high / step + 1e-6);
  for (double k = first; k <= last; ++k) found.push_back(k * step + 0.0);  // 0, never −0
  return found;
}

PlotScale::PlotScale(const Plot& plot, ImVec2 min_, ImVec2 max_, float numbers)
    : min(min_),
      max({std::max(min_.x + 1, max_.x), std::max(min_.y + 1, max_.y)}),
      plot_(plot),
      numbers_(numbers),
      low_(plot.places.empty() ? plot.x.low : plot.places.front()),
      high_(plot.places.empty() ? plot.x.high : plot.places.back()) {
  foot_ = max.y;
  for (const PlotSeries& series : plot.series) {
    if (series.kind == PlotSeries::Kind::bars || plot.places.empty()) continue;
    foot_ = max.y - 2 * plot.unit;  // what stands at the foot is free of the numbers below
    for (int k = 0; k < series.y.size() && plot.y.zero; ++k) zero_ = zero_ || series.y.at(k) <= 0;
  }
  if (zero_) foot_ -= std::max(1.5f * numbers_, 4 * plot.unit);
  const float wide = max.x - min.x;
  if (plot.places.empty()) {
    step_ = wide / real(std::max(1.0, high_ - low_));
  } else {
    // As wide as the nearest neighbours allow, with the outer ones whole.
    double nearest = 1;
    for (std::size_t k = 1; k < plot.places.size(); ++k)
      nearest = std::min(nearest, t_of(plot.places[k]) - t_of(plot.places[k - 1]));
    step_ = plot.places.size() < 2 ? wide : wide * real(nearest / (1 + nearest));
    inset_ = 0.5f * step_;
  }
  // Three heights of text apart, or nearer where that would be fewer than three lines.
  const float lines = (foot_ - min.y) / std::max(1.0f, numbers_);
  int most = std::clamp(static_cast<int>(lines / 3), 1, 5);
  levels_ = levels_of(plot.y, most);
  while (!plot.y.logarithmic && levels_.size() < kFewestNumbers && real(most + 1) * kNumbersApart <= lines)
    levels_ = levels_of(plot.y, ++most);
}

bool PlotScale::reaches(double value) const {
  return (value >= plot_.y.low && value <= plot_.y.high) || (zero_ && value <= 0);
}

int PlotScale::place_at(float x) const {
  if (plot_.places.empty()) {
    const double t = (x - min.x) / (max.x - min.x);
    return static_cast<int>(std::lround(std::clamp(low_ + t * (high_ - low_), low_, high_)));
  }
  int found = -1;
  float best = std::max(0.6f * step_, 3 * plot_.unit);
  for (int k = 0; k < int_size(plot_.places); ++k)
    if (const float away = std::abs(x_of(nth(plot_.places, k)) - x); away < best) best = away, found = k;
  return found;
}

double PlotScale::power_of(double value) const { return std::log(value) / std::log(plot_.y.base); }

bool PlotScale::is_numbered(double level) const {
  if (!plot_.y.logarithmic || level <= 0) return true;
  const float apart = (foot_ - min.y) / real(std::max(1.0, power_of(plot_.y.high / plot_.y.low)));
  const int stride = std::max(1, static_cast<int>(std::ceil(1.25f * numbers_ / apart)));
  return (std::lround(power_of(levels_.back())) - std::lround(power_of(level))) % stride == 0;
}

std::vector<double> PlotScale::numbers_along(float wide) const {
  const double range = std::max(1.0, high_ - low_);
  const double step = std::max(1.0, std::ceil(ui::nice_ceiling(range * static_cast<double>(wide / (max.x - min.x)))));
  std::vector<double> found{low_};
  for (double value = (std::floor(low_ / step) + 1) * step; value <= high_ + 1e-9; value += step)
    if (x_of(value) - x_of(found.back()) >= wide - 0.5f) found.push_back(value);
  return found;
}

std::vector<int> PlotScale::numbered_places(float wide) const {
  const std::vector<double>& places = plot_.places;
  std::vector<float> at;
  bool in_a_row = !plot_.x.logarithmic && plot_.marked < 0 && step_ < wide;
  for (std::size_t k = 0; k < places.size(); ++k) {
    at.push_back(x_of(places[k]));
    in_a_row = in_a_row && places[k] == std::round(places[k]) && (k == 0 || places[k] - places[k - 1] == 1);
  }
  const std::vector<int> any = thinned(at, wide, plot_.marked);
  if (!in_a_row) return any;
  const double stride = std::ceil(ui::nice_ceiling(static_cast<double>(wide / step_)));
  std::vector<int> found;
  for (int k = 0; k < int_size(places); ++k)
    if (std::fmod(nth(places, k), stride) == 0) found.push_back(k);
  return found.size() < kFewestNumbers && any.size() > found.size() ? any : found;
}

}  // namespace hydra

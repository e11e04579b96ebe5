// Where the values of a plot stand: pure arithmetic, so that it can be tested.
#pragma once
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/draw/nth.h"
#include "app/widgets/plot/plot.h"

namespace hydra {

// Where so many have room: two are no scale.
inline constexpr std::size_t kFewestNumbers = 3;

class PlotScale {
 public:
  // Within that room, from its upper left corner to its lower right one. numbers: the height of the axes' numbers.
  PlotScale(const Plot& plot, ImVec2 min, ImVec2 max, float numbers);

  float x_of(double value) const { return min.x + inset_ + real(t_of(value)) * (max.x - min.x - 2 * inset_); }
  // Beyond the axis, as far as three times its length. Below a logarithmic one's foot lies what is too small for it, 0
  // too, so far that lines leave steeply.
  float y_of(double value) const {
    const PlotAxis& y = plot_.y;
    if (zero_ && value <= 0) return max.y - 2 * plot_.unit;
    const double t = y.logarithmic ? std::log(std::max(value, 1e-3 * y.low) / y.low) / std::log(y.high / y.low)
                                   : (value - y.low) / (y.high - y.low);
    return foot_ - real(std::clamp(t, -2.0, 3.0)) * (foot_ - min.y);
  }
  float x_of_place(const PlotSeries& series, int k) const {  // of its k-th value
    return x_of(plot_.places.empty() ? series.first + k * series.apart : nth(plot_.places, k));
  }
  bool reaches(double value) const;  // the upright axis does
  // The place, or the whole number, nearest to there; -1: none is near.
  int place_at(float x) const;

  // Where the upright axis has lines, ascending; of a logarithmic one only every so many-th has a number.
  const std::vector<double>& levels() const { return levels_; }
  bool is_numbered(double level) const;
  // Numbers along the level axis that have room where each needs that width.
  std::vector<double> numbers_along(float wide) const;

  // The places whose numbers have that room: the marked one always; where they are whole numbers in a row, round ones.
  std::vector<int> numbered_places(float wide) const;

  double low() const { return low_; }  // of the level axis: its own, or its first and last place
  double high() const { return high_; }
  float step() const { return step_; }  // between the nearest places or whole numbers
  float foot() const { return foot_; }  // where the upright axis begins
  ImVec2 min, max;

 private:
  double t_of(double value) const {  // along the level axis, 0 to 1
    if (!(high_ > low_)) return 0.5;
    return plot_.x.logarithmic ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  }
  double power_of(double value) const;

  const Plot& plot_;
  float numbers_;
  double low_, high_;  // of the level axis
  float foot_ = 0, inset_ = 0, step_ = 1;
  bool zero_ = false;
  std::vector<double> levels_;
};

// The lines of an axis from low to high, at most so many apart as that: round numbers, or powers of its base.
std::vector<double> levels_of(const PlotAxis& axis, int most);

}  // namespace hydra

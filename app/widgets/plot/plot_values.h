// The values of a plot.
#pragma once
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace hydra {

// Numbers in a row: their own, or the first so many (-1: all) of a vector that outlives the drawing.
class PlotValues {
 public:
  PlotValues() = default;
  PlotValues(std::vector<double> own) : own_(std::move(own)) {}
  PlotValues(const std::vector<double>* of, int first_so_many = -1) : of_(of), most_(first_so_many) {}

  std::span<const double> all() const;
  int size() const { return static_cast<int>(all().size()); }
  bool empty() const { return size() == 0; }
  double at(int k) const {  // NaN where there is none
    const std::span<const double> values = all();
    return k < 0 || k >= static_cast<int>(values.size()) ? std::numeric_limits<double>::quiet_NaN()
                                                         : values[static_cast<std::size_t>(k)];
  }

 private:
  std::vector<double> own_;
  const std::vector<double>* of_ = nullptr;
  int most_ = -1;
};

struct PlotSeries {
  enum class Kind { line, bars, dots, rings };
  PlotValues y;  // what is not finite is left out
  ImU32 color = 0;
  Kind kind = Kind::line;          // bars of several series stand on each other
  std::string label = {};          // at its end, or in the key; empty for none
  bool strong = true;              // else thin and pale, and drawn first
  PlotValues low = {}, high = {};  // an upright line at each value from one to the other; empty for none
  bool band = false;               // instead of upright lines, where it is strong
  int first = 0, apart = 1;        // where its values stand, on an axis without places: first, first + apart, ...
  bool bridges = false;            // the line goes on over what is left out
  int mean_of = 0;                 // the steps so many to both sides: drawn as their mean, over the values themselves
};

// Of a series with first and apart: the value at a whole number, or the last before it; NaN where there is none.
double value_at(const PlotSeries& series, int step);
// Above so large a share of the values of all series, evenly picked of long ones; NaN without any.
double value_above(const std::vector<PlotSeries>& series, double share);
// Where an axis ends well: at the largest value, unless the last fiftieth of them lies far above the others.
double usual_high(const std::vector<PlotSeries>& series);

// The mean of a value and its neighbours, of values that are asked one after the other.
class PlotMeans {
 public:
  PlotMeans(const PlotValues& values, int neighbours) : values_(values.all()), neighbours_(neighbours) {}
  double at(int k) {  // NaN where there are none
    if (next_ == kNone) next_ = gone_ = std::max(0, k - neighbours_);
    count(next_, k + neighbours_ + 1, 1);
    count(gone_, k - neighbours_, -1);
    return there_ > 0 ? sum_ / there_ : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::min();
  void count(int& from, int to, int times) {
    for (to = std::min(to, static_cast<int>(values_.size())); from < to; ++from)
      if (const double value = values_[static_cast<std::size_t>(from)]; std::isfinite(value))
        sum_ += times * value, there_ += times;
  }

  std::span<const double> values_;
  int neighbours_, next_ = kNone, gone_ = kNone, there_ = 0;
  double sum_ = 0;
};

}  // namespace hydra

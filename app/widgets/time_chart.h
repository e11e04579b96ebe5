// Lines over steps, as far as they have come, with a place in time that is taken with the pointer. Data in, hit out.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct TimeLine {
  const std::vector<double>* values = nullptr;  // at first, first + apart, ...; NaN: none there
  int first = 0, count = -1;                    // of them the first so many; -1: all
  ImU32 color = 0;
  bool strong = true;  // else thin and pale
  std::string label;   // at its end, where there is room; empty: none
  int mean_of = 0;     // the steps so many to both sides: drawn as their mean, over the values themselves
  int apart = 1;
};

struct TimeLevel {
  double at = 0;
  std::string label;
};

// Labels at the ends of lines have so much of the width at the most.
inline constexpr float kMostOfLabels = 0.25f;

struct TimeChart : Look {
  std::string title;
  std::vector<TimeLine> lines;  // weak ones are drawn first
  std::vector<TimeLevel> levels;
  int last = 1;              // the level axis: 0 to last
  int now = -1;              // a place on it; -1: none
  bool pale = true;          // what is beyond it is still to come
  double low = 0, high = 1;  // the upright axis; what is beyond it is marked at its end (beyond.h)
  bool steps = true;         // numbers along the level axis
};

struct TimeChartResult {
  int pointed = -1;  // the step under the pointer
  int line = -1;     // the line nearest to it there
  bool held = false, released = false;
};

TimeChartResult time_chart(Canvas& canvas, const char* id, const TimeChart& chart, ImVec2 pos, ImVec2 size);

// Above so large a share of the lines' values, evenly picked of long lines; NaN without any.
double value_above(const std::vector<TimeLine>& lines, double share);
// Where an axis ends well: at the largest value, unless the last fiftieth of them lies far above the others.
double usual_high(const std::vector<TimeLine>& lines);

// The last value up to that step, of those not apart from it; NaN where there is none.
double value_at(const TimeLine& line, int step);

}  // namespace hydra

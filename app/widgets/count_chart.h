// Values over counts on a logarithmic axis, as bars of parts that add up or as lines, with marked levels. Data in, hit
// out.
#pragma once
#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct CountSeries {
  enum class Kind { bars, line, dots, rings };
  std::vector<double> values;  // one per count; what is not finite is left out
  ImU32 color = 0;
  Kind kind = Kind::bars;                   // bars of several series stand on each other
  std::string label = {};                   // beside the end of a line; empty for none
  std::vector<double> low = {}, high = {};  // an upright line at each count, from one to the other; empty for none
};

struct CountLevel {
  double at = 0;
  std::string label;  // beside the end of its line
};

struct CountMark {
  double at = 0;  // a place among the counts; beyond them it is not drawn
  std::string label;
  bool left = false;  // of its line; else right of it
};

struct CountChart : Look {
  std::string title = {};      // for who listens
  std::vector<double> counts;  // ascending, above 0
  std::vector<CountSeries> series;
  std::vector<CountLevel> levels;
  std::vector<CountMark> marks;  // upright lines from the foot to the top
  int shaded = 0;                // so many counts from the first on lie on another ground
  std::string shaded_label;      // there
  double low = 0, high = 1;      // of the vertical axis
  bool logarithmic = false;      // low above 0; lines at powers of base; 0 has a place of its own below low
  double base = 2;
  int marked = -1;                         // the count that stands out and always has its label; -1: none
  int hovered = -1;                        // the count pointed at here or in another chart
  std::function<std::string(double)> say;  // the axis's numbers
};

struct CountChartResult {
  int hovered = -1;  // the count under the pointer
  bool clicked = false;
};

CountChartResult count_chart(Canvas& canvas, const char* name, const CountChart& chart, ImVec2 pos, ImVec2 size);

}  // namespace hydra

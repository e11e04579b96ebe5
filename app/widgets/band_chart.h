// A measured line beside a mean line with its band, over counts from 0. Data in, hit out.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/nth.h"
#include "app/widgets/geometry.h"
#include "core/linalg/types.h"

namespace hydra {

struct BandChart : Look {
  ImVec2 pos, size;  // with the axes' numbers and titles
  const std::vector<double>*line = nullptr, *mean = nullptr, *low = nullptr,
        *high = nullptr;    // equally long, not empty
  double top = 1;           // of the vertical axis, which starts at 0
  double unit_of_axis = 1;  // ticks say value / this
  std::string suffix;       // behind the ticks' numbers: " %"
  std::string x_title, y_title;
  float under = 0;  // height left free between the plot and the title of the level axis, for the caller
  ImU32 line_color = 0, mean_color = 0;
};

struct BandChartResult {
  Index hovered = -1;  // the count under the pointer
  ImVec2 min, max;     // of the plot
  float x_of(Index k) const { return min.x + real(k) * step; }
  float step = 0;  // between counts
};

BandChartResult band_chart(Canvas& canvas, const char* id, const BandChart& chart);

}  // namespace hydra

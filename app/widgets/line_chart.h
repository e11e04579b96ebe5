// Lines over 1, 2, 3, ... with marked limits: data in, hit out.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct ChartLine {
  const std::vector<double>* values = nullptr;  // at 1, 2, ...
  ImU32 color = 0;
  bool strong = false;
  const std::vector<double>*low = nullptr, *high = nullptr;  // of a band around it, drawn when it is strong
};

struct ChartLimit {
  double at = 0;  // on the horizontal axis; beyond its end it is written at the edge
  std::string label;
};

struct ChartThreshold {
  double at = 0;  // on the vertical axis; not drawn outside of it
  std::string label;
};

struct LineChart : Look {
  std::string title = {};  // for who listens
  std::vector<ChartLine> lines;
  std::vector<ChartLimit> limits;  // in their order along the axis
  std::vector<ChartThreshold> thresholds;
  int last = 1;              // the horizontal axis: 1 to last
  double low = 0, high = 1;  // the vertical axis; lines leave through its ends, which says how far (beyond.h)
  bool logarithmic = false;
  float weak = 0.43f;  // how much of its colour a line keeps that is not strong
  bool unicode = true;
};

struct LineChartResult {
  int line = -1, index = -1;  // of the value under the pointer; index from 0
  bool clicked = false;
};

LineChartResult draw_line_chart(Canvas& canvas, const char* name, const LineChart& chart, ImVec2 pos, ImVec2 size);

}  // namespace hydra

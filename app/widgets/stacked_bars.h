// Rows of parts that add up: positive ones to the right of zero, negative ones to the left. Data in, hit out.
#pragma once
#include <imgui.h>

#include <functional>
#include <string>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"
#include "core/linalg/types.h"

namespace hydra {

struct StackedBars : Look {
  MatView<double> parts;                    // [rows x parts]; a row with a NaN is written as "n/a"
  std::function<std::string(Index)> label;  // of a row; null for none
  std::function<ImU32(Index)> color;        // of a part
  double low = 0, high = 1;                 // the values at the ends of the bars; 0 lies between
  Index marked_row = -1, marked_part = -1;
  ImVec2 pos;
  float width = 0, row = 18, label_width = 0;
  float beside_width = 0;  // right of the bars, for the caller
  std::function<void(Index, ImVec2, ImVec2)> beside;
  const char* probe_prefix = "";  // names "prefix/3", counted from 1; empty for none

  explicit StackedBars(const MatView<double>& values) : parts(values) {}
};

struct StackedBarsResult {
  Index row = -1;   // under the pointer
  Index part = -1;  // there; -1 beside the parts
  bool clicked = false;
};

StackedBarsResult stacked_bars(Canvas& canvas, const StackedBars& bars);

// The ends between which the bars of all rows fit, zero included. {0, 1} when no row has finite parts.
struct StackRange {
  double low = 0, high = 1;
};
StackRange stack_range(const MatView<double>& parts);

}  // namespace hydra

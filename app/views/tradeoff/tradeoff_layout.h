// Where the parts of the Trade-off view stand: pure arithmetic, so that it can be tested for every size.
//
//   one column per head count:
//            1        2        4      header
//   (room for a diagram)
//   patterns [ ]      [ ][ ]   [ ][ ]
//                              [ ][ ]
//   entropy  0.98     0.97     0.97   rows of numbers, aligned, each over a bar
//   ...
//
// Where the columns are too many for the width, they scroll sideways beside their labels.
#pragma once
#include <imgui.h>

#include <vector>

namespace hydra {

// So many equal squares in a rectangle, as large as fit, filled line by line.
struct ThumbGrid {
  int across = 1;
  float side = 1, step_x = 1, step_y = 1;
  float strip = 0;             // height of the bar in the head's colour over each; part of step_y
  ImVec2 at(int head) const {  // from the grid's corner to that of the square
    const int line = head / across;
    return {static_cast<float>(head % across) * step_x, static_cast<float>(line) * step_y + strip};
  }
  float width(int heads) const;
  float height(int heads) const;
};
ThumbGrid thumb_grid(int heads, float width, float height, float unit);

struct TradeoffInput {
  ImVec2 pos, size;                         // below the toolbar and the sentence
  std::vector<int> heads;                   // by column
  int rows = 6;                             // of numbers
  float diagram = 0;                        // height of what stands between header and patterns
  float label = 100;                        // width that the row labels need
  float text = 15, large = 21, small = 12;  // heights of lines
  float scrollbar = 12;
  float unit = 4;
};

struct TradeoffLayout {
  float label = 0;            // width of the row labels, left of the columns
  float left = 0, width = 0;  // of the columns' window
  float column = 0, gap = 0;  // a column starts every column + gap
  bool scrolls = false;
  float header = 0, header_height = 0;  // tops and heights
  float diagram = 0;                    // top
  float patterns = 0, patterns_height = 0;
  float rows = 0, row = 0;
  float bottom = 0;  // of the last row
  std::vector<ThumbGrid> grids;
  float content() const { return static_cast<float>(grids.size()) * (column + gap) - gap; }
};

TradeoffLayout tradeoff_layout(const TradeoffInput& in);

struct TradeoffArea {
  ImVec2 pos, size;
};
// The page of costs: four charts in a line, below them two of singular values and the extremes in words; in narrow
// rooms two and two.
struct CostLayout {
  TradeoffArea weights, products, memory, width;
  TradeoffArea before, after, extremes;
};
CostLayout cost_layout(ImVec2 pos, ImVec2 size, float text, float unit);

}  // namespace hydra

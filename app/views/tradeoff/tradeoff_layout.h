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
#include <vector>

#include "app/widgets/geometry.h"

#include "app/draw/nth.h"

namespace hydra {

// So many equal squares in a rectangle, as large as fit, filled line by line.
struct ThumbGrid {
  int across = 1;
  float side = 1, step_x = 1, step_y = 1;
  float strip = 0;             // height of the bar in the head's colour over each; part of step_y
  ImVec2 at(int head) const {  // from the grid's corner to that of the square
    const int line = head / across;
    return {real(head % across) * step_x, real(line) * step_y + strip};
  }
  float width(int heads) const;
  float height(int heads) const;
};
ThumbGrid thumb_grid(int heads, float width, float height, float unit);

struct TradeoffInput : LayoutInput {  // below the toolbar and the sentence
  std::vector<int> heads;             // by column
  int rows = 6;                       // of numbers
  float diagram = 0;                  // height of what stands between header and patterns
  float label = 100;                  // width that the row labels need
  float large = 21;                   // height of a line
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
  float content() const { return real(grids.size()) * (column + gap) - gap; }
};

TradeoffLayout tradeoff_layout(const TradeoffInput& in);
// At which patterns and numbers are as small as can be read; it fills what is more.
float height_of(const TradeoffInput& in);

// The page of costs: four charts in a line, below them two of singular values and the extremes in words; in narrow
// rooms two and two.
struct CostLayout {
  Box weights, products, memory, width;
  Box before, after, extremes;
};
CostLayout cost_layout(ImVec2 pos, ImVec2 size, float text, float unit);
// At which the charts are as low as can be read; it fills what is more.
float cost_height(float text);

// The page "How it is computed", its three parts:
//
//   labels  X  x  [ W_Q ]  =  [ Q ]     the heads' columns in their colours
//   labels  [Q_1]  [Q_2]  ...  [Q_h]    the same numbers, apart
//   code, words
//
//   bar, key                                   labels  grid of tiles   controls
//   time      memory      in words                                     numbers of the query
//   of a step of a step   in words             bars of the row         what they come to

// Two rows of charts with their words beside them; in narrow rooms the words stand below each row.
struct TimingLayout {
  Box bar, key;
  Box time, memory, words;
  Box step_time, step_memory, step_words;
  float bottom = 0;
};
// key: height of what stands between the bar and the charts. Taller than size.y where that is lower than what can be
// read.
TimingLayout timing_layout(ImVec2 pos, ImVec2 size, float text, float unit, float key = 0);
float timing_height(float width, float text, float unit, float key = 0);  // then; it fills what is more

struct ProductInput : LayoutInput {
  int heads = 1;
  float d_model = 1, concat = 1;  // columns of X, and of W_Q and Q
  float labels = 60;              // width of the longest token
  float title = 20;               // height of a title
  float code = 18;                // height of a line of it
  float words = 40;               // height of the sentences below
};
struct ProductLayout {
  Box X, W, Q;
  ImVec2 times, equals;    // the middles of what stands between them
  std::vector<Box> heads;  // the slices of Q, apart
  float title = 0;         // top of the line over them all
  float numbers = 0;       // of that over each
  float labels = 0;        // room for the tokens
  Box code, words;
  float bottom = 0;
};
inline constexpr int kCodeLines = 2;
// Taller than size.y where that is lower than what can be read.
ProductLayout product_layout(const ProductInput& in);
float height_of(const ProductInput& in);  // then; it fills what is more
// The k-th of so many equal parts of a box, side by side, on whole pixels.
Box part_of(const Box& whole, int k, int count);

struct TilesInput : LayoutInput {
  int tokens = 1;
  float labels = 60;  // width of the longest token
  int notes = 1;      // lines of them below the controls
};
struct TilesLayout {
  ImVec2 grid;        // corner of the first cell
  float cell = 1;     // its side
  float tops = 0;     // top of the tokens over the grid
  float left = 0;     // of the tokens beside it
  Box bars;           // below, over the same columns
  float caption = 0;  // how wide the line under them may be
  Box controls, numbers;
  bool scale = false;  // whether the controls have a line for the scale of the colours
};
TilesLayout tiles_layout(const TilesInput& in);
// The least height at which the tokens have their words and the colours their scale, as far as the width allows it.
float height_of(const TilesInput& in);

}  // namespace hydra

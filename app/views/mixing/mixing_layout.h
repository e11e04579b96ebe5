// Where the parts of the Mixing view stand: pure arithmetic, so that it can be tested for every size.
//
//   One output                                        Who writes it
//   tokens C   x  norms W_O  =  Y                     gates, shares, ablation   shares per token
//   Z_1 + Z_2 + ... + Z_h + b_O = Y
//   one entry of Y, read both ways                    change against            directions
//   one token's row of C, with numbers                heads removed
//
// In a wide and low view the sum stands right of the equation and the reading, and the halves of the second page are
// pages.
#pragma once
#include "app/widgets/geometry.h"

namespace hydra {

struct MixingInput : LayoutInput {  // below the toolbar
  int tokens = 1, d_model = 1, heads = 1;
  int concat = 1;          // columns of C
  float label_width = 0;   // of the longest token, already limited
  float number_width = 0;  // of a number in a cell, in the small mono face
  float number = 11;       // height of its line
  bool low = false;        // see is_low
  int extra_parts = 0;     // of the sum besides the heads' and Y: b_O, Y before the gates
};

struct OutputPage {
  Box C, W_O, Y, times, equals;
  Box bands;        // left of W_O: number, norm and bar of each head's rows
  float bar = 0;    // height of the head colours over C, which stand on it; numbers stand on them
  float above = 0;  // from the title to the pictures
  Box sum_title;
  Box sum;  // Z_1 + ... = Y
  int columns = 1;
  ImVec2 part, step;  // of the sum: a picture, and from one to the next
  float caption = 0;  // over a part
  float indent = 0;   // before the first of a row: where there are several, the sign that leads to it
  bool numbered = true;
  Box reading;  // of one entry
  Box strip_title, strip;
  ImVec2 cell;             // of the strip
  int cells = 1;           // in a line of the strip; of one head where it has more than fit
  int heads_per_line = 1;  // 1 where a head needs several lines
  int lines_per_head = 1;
  float strip_label = 0;          // before a head's cells: its number
  float head_step = 0, line = 0;  // from head to head, from line to line
  float strip_content = 0;        // scrolls where this is more than the strip's height
};
OutputPage output_page(const MixingInput& in);
// The least height at which the strip does not scroll and the parts of the sum have their numbers and are two lines
// high, as far as the width allows it.
float height_of_output(const MixingInput& in);

struct SharesPage {
  Box table_title, gates;     // gates: a sentence on what they change
  Box table;                  // the table with its header; scrolls where table_content is higher
  float header = 0, row = 0;  // heights in the table
  float table_content = 0;
  Box bars_title, bars;  // the row of all tokens on top; the others scroll
  float bar_row = 0, bars_content = 0;
  Box curve_title, curve;
  Box directions_title, directions;  // square
  float legend_width = 0;            // of the directions, under them
};
// So low that its upper half, heads and tokens, and its lower half are pages of their own: both then start at the top.
bool is_low(ImVec2 size, float text);
SharesPage shares_page(const MixingInput& in);
// The least height at which both halves stand on one page and neither table nor bars scroll.
float height_of_shares(const MixingInput& in);

// Where cell (head, dimension) of the strip stands, from the strip's corner.
ImVec2 strip_cell(const OutputPage& page, int head, int dimension);

}  // namespace hydra

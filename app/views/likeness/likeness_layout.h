// Where the parts of the Likeness view stand: pure arithmetic, so that it can be tested for every size.
//
//   title                                      title
//        heads                                 map of the heads
//   h    the matrix                 tree       (square)
//   legend                          axis       tools: collapse, repel
//
//   the heads that are compared: head, head, difference
//
// Where the view is wide and low, the comparison stands in the place of the map instead. The tools stand beside the
// map where that leaves it larger. Where many tokens would be left without their labels, the comparison has the room to
// itself, and scrolls sideways where even that is too little.
#pragma once
#include <array>

#include "app/widgets/geometry.h"

namespace hydra {

struct LikenessInput : LayoutInput {  // below the toolbar and the sentence
  int heads = 1, tokens = 1;
  bool compared = false;
  float longest = 0;  // width of the longest token
  float number = 16;  // width of the widest head number
  float named = 0;    // the same with the heads' names; 0: they have none
  float tools = 120;  // height
};

// Three square pictures beside each other, each with a title above its column labels and a legend below. The rows of
// all are the same tokens: where that leaves more room, only the first has labels beside them.
struct LikenessComparison : Box {
  ImVec2 header;              // a line: which heads, and their values
  bool values_below = false;  // of the names: a line of their own
  float title = 0;            // top of the pictures' titles
  std::array<ImVec2, 3> pictures;
  float side = 0;
  float row_labels = 0, column_labels = 0;  // width left of each, height above each; 0: no room for them
  bool shared_rows = false;                 // row labels at the first only
  float legend = 0;                         // top
  float content = 0;                        // width of the pictures
  bool scrolls = false;                     // sideways, within size
};

struct LikenessLayout {
  ImVec2 title;
  ImVec2 matrix;  // its cells' corner
  float side = 0;
  float row_labels = 0, column_labels = 0;  // width left of it, height above it
  bool named = false;                       // rows have names: cells are large enough even so
  float tree = 0, tree_width = 0;           // left
  float legend = 0;                         // top; the tree's axis has the same
  bool alone = false;                       // the comparison only; of the rest at most the tools
  bool map_shown = true, tools_shown = true;
  ImVec2 map_title, map;
  float map_side = 0;
  ImVec2 tools, tools_size;
  LikenessComparison comparison;  // where compared
};

LikenessLayout likeness_layout(const LikenessInput& in);
// The least height at which map, tools, the heads' names and what is compared with all its labels are there, matrix and
// map at least 7 lines large, as far as the width allows it; where what is compared stands alone, its labels.
float height_of(const LikenessInput& in);

}  // namespace hydra

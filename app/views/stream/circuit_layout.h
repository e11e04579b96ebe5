// Where the parts of the Circuit page stand: pure arithmetic, so that it can be tested for every size.
//
//   layers up, heads across              the strongest lines
//   2  [1] [2] [3]                       1  1.3 → query of 2.5   0.62  3.5 ×
//        \  |  /                         ...
//   1  [1] [2] [3]                       the two heads' forms multiplied
//   what the lines are                   named columns by named columns, legend
#pragma once
#include <span>
#include <vector>

#include "app/widgets/geometry.h"

namespace hydra {

struct CircuitInput : LayoutInput {  // below the toolbar
  int layers = 2;
  int heads = 1;           // of the layer with most
  int lines = 0;           // that there are
  float column = 0;        // width of the longest name of a column
  int rows = 0, cols = 0;  // of the product, where only a part of it is shown
};

struct CircuitLayout {
  Box graph_title;
  Box numbers;  // of the layers, left of the graph
  Box graph;
  float step = 0, margin = 0;  // from layer to layer; under the first and over the last
  ImVec2 node;                 // a head
  Box key;                     // what the lines are

  Box list_title, list;
  float line = 0;  // height of one
  int listed = 0;

  Box product_title, product_words;
  ImVec2 product;  // its cells' corner
  float side = 0;  // of its square, or the longer one of its part; 0: there is no room for it
  ImVec2 product_size;
  float row_labels = 0, column_labels = 0;
};

CircuitLayout circuit_layout(const CircuitInput& in);
// The least height at which heads have their numbers, eight lines are listed, if there are so many, and the product has
// room, as far as the width allows it.
float height_of(const CircuitInput& in);

// The middle of a head, of so many in its layer.
ImVec2 head_middle(const CircuitLayout& at, int layer, int head, int heads);

struct CircuitHead {
  int layer = 0, head = 0;
};
// A line in short pieces, from the upper edge of a head to the lower one of a head of a later layer, there so far aside
// of its middle. It passes between the heads of the layers between, with which it has nothing to do. heads: how many
// each layer has.
std::vector<ImVec2> circuit_curve(const CircuitLayout& at, std::span<const int> heads, CircuitHead from, CircuitHead to,
                                  float port);

}  // namespace hydra

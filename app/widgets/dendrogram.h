// A tree of clusters beside what was clustered, the leaves at the left: a join stands at the distance of what it joins.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"
#include "core/analysis/likeness/clustering.h"

namespace hydra {

struct Dendrogram : Look {
  const Clustering* tree = nullptr;
  const std::vector<float>* leaves = nullptr;  // by leaf: its height on the screen, y
  float left = 0, width = 0;                   // of the axis, from distance 0
  double end = 1;                              // the distance at its right end
  float axis = 0;                              // y of the axis; its numbers stand below
  std::string caption;                         // of the axis
  int marked = -1;                             // a leaf: its path to the root is strong
};

// The join under the pointer, -1: none.
int draw_dendrogram(Canvas& canvas, const char* name, const Dendrogram& dendrogram, float top, float bottom);

// The leaves under a join, in the tree's order.
std::vector<int> leaves_of(const Clustering& tree, int join);

}  // namespace hydra

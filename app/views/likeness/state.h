// What is chosen and under way in the Likeness view.
#pragma once
#include <optional>
#include <utility>

#include "app/views/likeness/likeness_motion.h"
#include "core/analysis/likeness.h"

namespace hydra {

// Two heads, from 0; -1: none.
struct HeadPair {
  int first = -1, second = -1;
  bool has(int head) const { return head >= 0 && (head == first || head == second); }
};

struct Repelling {               // steps that drive the heads apart, one after the other (app/tools/repel_tool.h)
  int layer = 0;                 // whose heads
  int steps = 0;                 // done
  double before = 0, after = 0;  // the mean cosine
  bool over = false;
  bool present = true;  // the layer's weights are those of the last step
};

struct LikenessState {
  Likeness measure = Likeness::cosine;          // the matrix shown large, by which heads are ordered
  bool ranks = false;                           // the page of ranks
  bool pooled = false;                          // over all marked sentences, not over this one
  bool all_layers = false;                      // the heads of all layers, where there are several
  bool by_tree = false;                         // these in the order of their tree, not layer after layer
  bool fitted = false;                          // colours fitted to the values
  std::optional<std::pair<int, int>> compared;  // heads side by side: places in the table
  std::vector<HeadPlace> places;                // whose places these are, of all layers
  bool pair_offered = false;                    // the most alike ones stood there once without being asked for
  HeadPair hover;                               // heads under the pointer in the last frame
  LikenessMotion motion;
  PatternDifference difference;   // of the compared ones
  std::optional<float> collapse;  // how far the slider has moved the heads towards their mean (app/tools)
  std::optional<Repelling> repelling;
};

}  // namespace hydra

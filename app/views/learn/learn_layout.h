// Where the parts of the Learn view stand: pure arithmetic.
#pragma once
#include "app/widgets/geometry.h"

namespace hydra {

// In a room that is lower, in heights of text, what a run does not need while it goes on stands under "Controls".
inline constexpr float kLearnLow = 36;

struct LearnInput : LayoutInput {
  int layers = 1, heads = 1;  // the most of a layer
  int branches = 1;
};

struct LearnLayout {
  Box loss, accuracy;  // charts beside each other or one over the other
  Box heads;           // the patterns
  Box detail;          // what is told over time beside them
  Box branches;        // the timeline
  int shown_branches = 1;
};

LearnLayout learn_layout(const LearnInput& in);

}  // namespace hydra

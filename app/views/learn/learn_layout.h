// Where the parts of the Learn view stand: pure arithmetic.
#pragma once
#include "app/widgets/geometry.h"

namespace hydra {

// In a room that is lower, in heights of text, what a run does not need while it goes on stands under "Controls", and
// its charts take turns: loss and accuracy are one of those that are chosen, so that each can be read from afar.
inline constexpr float kLearnLow = 36;
// And where so little is left over the timeline, as under all controls, loss and accuracy stand alone.
inline constexpr float kLearnCurvesAlone = 13;

struct LearnInput : LayoutInput {
  int layers = 1, heads = 1;  // the most of a layer
  int branches = 1;
  bool low = false;  // the view's room is
};

struct LearnLayout {
  Box loss, accuracy;  // charts beside each other or one over the other; no height: they are part of the detail
  Box heads;           // the patterns; no height: they have no room
  Box detail;          // what is told over time beside them, likewise
  Box branches;        // the timeline
  int shown_branches = 1;
};

LearnLayout learn_layout(const LearnInput& in);
// It fills any height; the least at which the patterns are there and every branch, and the curves are not low.
float height_of(const LearnInput& in);

}  // namespace hydra

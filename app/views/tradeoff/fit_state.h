// What is chosen on the pages of the Trade-off view that fit heads.
#pragma once
#include "app/views/fit_shown.h"

namespace hydra {

enum class FitAsked { none, again, stop };

struct FitState {
  FitChoice choice;
  Index width = 0;   // whose pattern stands beside the target; 0: the widest below n - 1 that misses
  int pointed = -1;  // the place on the chart under the pointer in the last frame
  learn::HeadsProblem problem;
  Index heads = 0;                  // whose patterns are shown; 0: as many as relations
  FitAsked asked = FitAsked::none;  // this frame
};

}  // namespace hydra

// What is chosen on the page of models that are trained.
#pragma once
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

struct TrainedState {
  enum class Asked { none, start, cancel };

  Index d_model = 32;
  int steps = 1500;                                 // of each run
  std::vector<double> rates = {0.003, 0.01, 0.03};  // ascending
  bool deep = true;                                 // four layers of one head each are trained as well
  int seeds = 5;
  double rate = 0;            // whose patterns, questions and curves are shown; 0: of each model its best
  int seed = 0;               // likewise, but the curves of all seeds are there
  Asked asked = Asked::none;  // this frame
  Index pointed_heads = 0;    // under the pointer in the last frame; 0: none
  Index pointed_question = -1;
};

}  // namespace hydra

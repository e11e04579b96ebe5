// What is chosen on the page of models that are trained.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

struct TrainedState {
  enum class Asked { none, start, cancel };

  Index d_model = 32;
  int steps = 1500;  // of each run
  int seeds = 5;
  int seed = 0;               // whose patterns and questions are shown
  Asked asked = Asked::none;  // this frame
  Index pointed_heads = 0;    // under the pointer in the last frame; 0: none
  Index pointed_question = -1;
};

}  // namespace hydra

// Steps on a level line, the present one marked and taken with the pointer: of a run of training, or the checkpoints of
// one.
#pragma once
#include <optional>
#include <string>

#include "app/views/frame/context.h"

namespace hydra {

struct StepTrack {
  std::string name;  // of its probe
  int now = 0, last = 0;
  bool taken = true;  // by the pointer
  std::string tip;
};
struct StepTaken {
  int step = 0;
  bool released = false;
};
// What the pointer holds, or has just let go.
std::optional<StepTaken> step_track(Frame& frame, const StepTrack& track, float width);

}  // namespace hydra

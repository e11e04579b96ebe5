// What is chosen in the Heads view alone.
#pragma once
#include <optional>

#include "core/analysis/rollout.h"

namespace hydra {

struct HeadsState {
  std::optional<RolloutKind> rollout;  // the large pattern is the rollout through the layer in focus, not a head's
};

}  // namespace hydra

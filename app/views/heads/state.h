// What is chosen in the Heads view alone.
#pragma once
#include <optional>
#include <vector>

#include "core/analysis/rollout.h"

namespace hydra {

struct SinkColumn {  // what the sink takes of each row
  Stamp of;
  std::vector<double> shares;  // empty: there is none
};

struct HeadsState {
  SinkColumn sink;                     // of the pattern that is shown large
  std::optional<RolloutKind> rollout;  // the large pattern is the rollout through the layer in focus, not a head's
};

}  // namespace hydra

// Rollout as the Heads view shows it.
#pragma once
#include <memory>
#include <string>

#include "core/analysis/rollout.h"

namespace hydra {

struct RolloutShown {
  std::shared_ptr<const Trace> trace;  // what it is of: the present one or a moment older
  int layers = 0;                      // through so many
  RolloutKind kind = RolloutKind::attention;
  std::shared_ptr<const Rollout> steps;  // null until the first is done
  Array<float> reached;                  // its last, as it is drawn
  std::string failure;                   // why the newest could not be had; else empty
};

}  // namespace hydra

// What is chosen in the Roles view.
#pragma once
#include <optional>

#include "core/analysis/role_label.h"

namespace hydra {

struct RolesState {
  bool pooled = true;                // over all marked sentences, not over this one
  std::optional<int> sorted;         // by this column of the table, the highest first
  float threshold = kRoleThreshold;  // below it a head is "mixed"
};

}  // namespace hydra

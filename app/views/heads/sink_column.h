// What the sink takes of each row of the pattern that is shown large.
#pragma once
#include <vector>

#include "core/linalg/stamp.h"

namespace hydra {

struct SinkColumn {
  Stamp of;
  std::vector<double> shares;  // empty: there is none
};

}  // namespace hydra

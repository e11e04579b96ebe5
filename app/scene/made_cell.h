#pragma once
#include <string>

#include "core/json/named.h"
#include "core/linalg/types.h"

namespace hydra {

// A number of a matrix that is worked out of the model, not one of it (pictured.h).
struct MadeCell {
  std::string name;  // of the matrix
  Index row = 0, col = 0;
  bool operator==(const MadeCell&) const = default;
};
HYDRA_NAMED(MadeCell, name, row, col)

}  // namespace hydra

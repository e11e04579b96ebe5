// The largest finite |value| of a matrix.
#pragma once
#include <limits>

#include "core/linalg/types.h"

namespace hydra {

// 0 where none is finite.
template <class S>
S largest_finite(MatIn<S> values) {
  if (values.size() == 0) return 0;
  const auto sizes = values.array().abs();
  return (sizes <= std::numeric_limits<S>::max()).select(sizes, S(0)).maxCoeff();
}

}  // namespace hydra

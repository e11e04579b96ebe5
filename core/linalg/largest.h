// The largest finite |value| of a matrix.
#pragma once
#include <algorithm>
#include <limits>

#include "core/linalg/types.h"

namespace hydra {

// 0 where none is finite.
template <class S>
S largest_finite(MatIn<S> values) {
  constexpr S most = std::numeric_limits<S>::max();
  S largest = 0;
  for (Index i = 0; i < values.rows() && values.cols() > 0; ++i) {
    const auto sizes = values.row(i).array().abs();
    const S top = sizes.template maxCoeff<Eigen::PropagateNaN>();
    largest = std::max(largest, top <= most ? top : (sizes <= most).select(sizes, S(0)).maxCoeff());
  }
  return largest;
}

}  // namespace hydra

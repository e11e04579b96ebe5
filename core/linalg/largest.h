// The largest finite |value| of a matrix.
#pragma once
#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/linalg/kernels/kernels.h"
#include "core/linalg/types.h"

namespace hydra {

// 0 where none is finite.
template <class S>
S largest_finite(MatIn<S> values) {
  S largest = 0;
  if constexpr (std::is_same_v<S, float>) {
    if (values.outerStride() == values.cols()) return kernels::chosen().largest_finite(values.data(), values.size());
    for (Index i = 0; i < values.rows(); ++i)
      largest = std::max(largest, kernels::chosen().largest_finite(values.row(i).data(), values.cols()));
  } else {
    for (Index i = 0; i < values.rows() && values.cols() > 0; ++i) {
      const auto sizes = values.row(i).array().abs();
      largest = std::max(largest, (sizes <= std::numeric_limits<S>::max()).select(sizes, S(0)).maxCoeff());
    }
  }
  return largest;
}

}  // namespace hydra

// The largest finite |value| of a matrix.
#pragma once
#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/linalg/factor.h"
#include "core/linalg/kernels/kernels.h"

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

// Of an array; what is elsewhere is converted some lines at a time, and not kept.
inline float largest_finite_of(const Array<float>& values) {
  const Elsewhere<float>* from = values.elsewhere();
  if (!from) return largest_finite<float>(*values);
  const Factor<float>::Lines lines = Factor<float>(values).lines();
  if (lines.length == 0) return 0;
  Mat<float> some(std::clamp<Index>(32768 / lines.length, 1, 64), lines.length);
  float largest = 0;
  for (Index k = 0; k < lines.count; k += some.rows()) {
    const Index count = std::min(some.rows(), lines.count - k);
    from->convert(lines.first + k, lines.from, some.topRows(count));
    largest = std::max(largest, largest_finite<float>(some.topRows(count)));
  }
  return largest;
}

}  // namespace hydra

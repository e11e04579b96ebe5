// Equality of values that nobody made from the same: the same bits give the same results. Stricter than == (0 and -0
// differ, for 1 / 0 and 1 / -0 do) and defined for NaN.
#pragma once
#include <cstring>

#include "core/linalg/array.h"

namespace hydra {

template <class S>
bool same_bits(MatIn<S> a, MatIn<S> b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  const auto row_bytes = static_cast<std::size_t>(a.cols()) * sizeof(S);
  for (Index i = 0; i < a.rows(); ++i)
    if (std::memcmp(a.data() + i * a.outerStride(), b.data() + i * b.outerStride(), row_bytes) != 0) return false;
  return true;
}

// Of shared values; none equals none only.
template <class S>
bool same_bits(const Array<S>& a, const Array<S>& b) {
  return a == b || (a && b && same_bits<S>(MatView<S>(*a), MatView<S>(*b)));
}

}  // namespace hydra

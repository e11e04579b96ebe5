// Equality as incremental recomputing needs it: the same bits give the same results. Stricter than == (0 and -0 differ,
// for 1 / 0 and 1 / -0 do) and defined for NaN.
#pragma once
#include <cstring>

#include "core/linalg/types.h"

namespace hydra {

template <class S>
bool same_bits(MatIn<S> a, MatIn<S> b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  const auto row_bytes = static_cast<std::size_t>(a.cols()) * sizeof(S);
  for (Index i = 0; i < a.rows(); ++i)
    if (std::memcmp(a.data() + i * a.outerStride(), b.data() + i * b.outerStride(), row_bytes) != 0) return false;
  return true;
}

// Of shared matrices; null equals null only.
template <class S>
bool same_bits(const MatPtr<S>& a, const MatPtr<S>& b) {
  return a == b || (a && b && same_bits<S>(MatView<S>(*a), MatView<S>(*b)));
}

// Of some of their columns, or rows; matrices of other sizes, and null, equal themselves only.
template <class S>
bool same_columns(const MatPtr<S>& a, const MatPtr<S>& b, Index first, Index count) {
  return a == b || (a && b && a->cols() == b->cols() &&
                    same_bits<S>(MatView<S>(a->middleCols(first, count)), MatView<S>(b->middleCols(first, count))));
}
template <class S>
bool same_rows(const MatPtr<S>& a, const MatPtr<S>& b, Index first, Index count) {
  return a == b || (a && b && a->rows() == b->rows() &&
                    same_bits<S>(MatView<S>(a->middleRows(first, count)), MatView<S>(b->middleRows(first, count))));
}

}  // namespace hydra

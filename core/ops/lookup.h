// Y = rows of a table: for each token the row of its word, or of its place.
#pragma once
#include <span>

#include "core/linalg/types.h"

namespace hydra::lookup {

inline constexpr Index kNoRow = -1;  // the table has none for it: Vocabulary::kNone

// table [m x d], rows one per row of Y [n x d]; where there is kNoRow, Y stays as it is.
template <class S>
void forward(MatIn<S> table, std::span<const Index> rows, MatOut<S> Y) {
  for (Index i = 0; i < Y.rows(); ++i)
    if (const Index row = rows[static_cast<std::size_t>(i)]; row != kNoRow) Y.row(i) = table.row(row);
}

// The derivative of a number by the table, from that by Y; it is added to what stands there.
template <class S>
void grad_table(std::span<const Index> rows, MatIn<S> dY, MatOut<S> dtable) {
  for (Index i = 0; i < dY.rows(); ++i)
    if (const Index row = rows[static_cast<std::size_t>(i)]; row != kNoRow) dtable.row(row) += dY.row(i);
}

}  // namespace hydra::lookup

// Rows that are set by hand stand in the place of what was computed; nothing flows back through them.
#pragma once
#include <vector>

#include "core/linalg/array.h"

namespace hydra {

template <class S>
struct PaintedRow {
  Index row = 0;
  Array<S> values;  // [1 x cols]
};

namespace painted {

// Of a block that begins at first_row.
template <class S>
void forward(const std::vector<PaintedRow<S>>& rows, Index first_row, MatOut<S> block) {
  for (const PaintedRow<S>& painted : rows)
    if (painted.row >= first_row && painted.row < first_row + block.rows())
      block.row(painted.row - first_row) = painted.values->row(0);
}

// The derivative by what was computed, from that by what stands there: 0 in the rows set by hand.
template <class S, class Values>
void grad(const std::vector<PaintedRow<S>>& rows, Values&& d) {
  for (const PaintedRow<S>& painted : rows) d.row(painted.row).setZero();
}

}  // namespace painted
}  // namespace hydra

#include "core/linalg/strongest.h"

#include <algorithm>
#include <cassert>

namespace hydra {

int level_count(Index rows, Index cols) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(rows, cols))));
}

Mat<float> reduce(MatIn<float> values) {
  assert(values.size() > 0);
  const Index rows = values.rows(), cols = values.cols();
  Mat<float> out(level_size(rows, 1), level_size(cols, 1));
  RowVec<float> column(cols);  // the strongest of each column over the rows that one output row stands for
  for (Index r = 0; r < out.rows(); ++r) {
    const Index end = r + 1 == out.rows() ? rows : 2 * r + 2;
    column = values.row(2 * r);
    for (Index i = 2 * r + 1; i < end; ++i)
      for (Index j = 0; j < cols; ++j) column(j) = stronger(column(j), values(i, j));
    if (cols == 1) {
      out(r, 0) = column(0);
      continue;
    }
    for (Index c = 0; c < out.cols(); ++c) out(r, c) = stronger(column(2 * c), column(2 * c + 1));
    if (cols % 2 == 1) out(r, out.cols() - 1) = stronger(out(r, out.cols() - 1), column(cols - 1));
  }
  return out;
}

int aligned_level(Index begin, Index end, Index n) {
  assert(0 <= begin && begin < end && end <= n);
  int level = 0;
  while (level_size(n, level) > 1) {
    const int next = level + 1;
    const Index size = level_size(n, next), mask = (Index{1} << next) - 1;
    // The last cell of a level also holds an odd remainder; a boundary there cuts through it.
    const auto on_boundary = [&](Index at) { return (at & mask) == 0 && (at >> next) < size; };
    if (!on_boundary(begin) || !(end == n || on_boundary(end))) break;
    level = next;
  }
  return level;
}

}  // namespace hydra

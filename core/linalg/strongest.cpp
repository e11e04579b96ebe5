#include "core/linalg/strongest.h"

#include <algorithm>
#include <cassert>

namespace hydra {

int level_count(Index rows, Index cols) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(rows, cols))));
}

std::vector<float> reduce(const float* values, int rows, int cols) {
  assert(rows > 0 && cols > 0);
  const int out_rows = std::max(rows / 2, 1), out_cols = std::max(cols / 2, 1);
  std::vector<float> out(static_cast<std::size_t>(out_rows) * out_cols);
  std::vector<float> column(cols);  // the strongest of each column over the rows that one output row stands for
  for (int r = 0; r < out_rows; ++r) {
    const int end = r + 1 == out_rows ? rows : 2 * r + 2;
    std::copy_n(values + static_cast<std::ptrdiff_t>(2 * r) * cols, cols, column.begin());
    for (int i = 2 * r + 1; i < end; ++i) {
      const float* row = values + static_cast<std::ptrdiff_t>(i) * cols;
      for (int j = 0; j < cols; ++j) column[j] = stronger(column[j], row[j]);
    }
    float* target = out.data() + static_cast<std::ptrdiff_t>(r) * out_cols;
    if (cols == 1) {
      target[0] = column[0];
      continue;
    }
    for (int c = 0; c < out_cols; ++c) target[c] = stronger(column[2 * c], column[2 * c + 1]);
    if (cols % 2 == 1) target[out_cols - 1] = stronger(target[out_cols - 1], column[cols - 1]);
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

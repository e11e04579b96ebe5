// Smaller versions of a matrix in which strong cells survive: each cell of the next level is the strongest of the cells
// it stands for. Averaging would fade a thin diagonal to nothing, and skipping would lose it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

// What wins within a group: NaN before anything, then the largest magnitude (the sign is kept); -inf, a masked score,
// only among its like. The same integer rule stands in heatmap_full.frag.
inline std::int32_t strength(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits == 0xff800000u ? -1 : static_cast<std::int32_t>(bits & 0x7fffffffu);
}
inline float stronger(float a, float b) { return strength(b) > strength(a) ? b : a; }

// One side of a level, as OpenGL counts it: halved and rounded down, never below one.
inline int level_size(Index n, int level) { return static_cast<int>(std::max<Index>(n >> level, 1)); }
int level_count(Index rows, Index cols);

// The next level of values. An odd last row or column goes into the last cell.
Mat<float> reduce(MatIn<float> values);

// The highest level at which cells [begin, end) of an axis of n cells are a whole number of cells, so that a block
// drawn from that level holds nothing of its neighbours.
int aligned_level(Index begin, Index end, Index n);

}  // namespace hydra

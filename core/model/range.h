// Part of a matrix: some of its rows, some of its columns.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

struct Range {
  Index first = 0, last = 0;  // [first, last)
  bool empty() const { return first >= last; }
  bool contains(const Range& other) const { return first <= other.first && other.last <= last; }
  Index count() const { return last - first; }
};
inline Range just(Index k) { return {k, k + 1}; }

struct Block {
  Range rows, cols;
  bool empty() const { return rows.empty() || cols.empty(); }
  bool contains(const Block& other) const { return rows.contains(other.rows) && cols.contains(other.cols); }
};

}  // namespace hydra

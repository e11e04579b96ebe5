// Linked highlighting: which part of a shown matrix is the cell under the pointer, or is what that cell is computed
// from.
#pragma once
#include <vector>

#include "core/explain/quantity.h"

namespace hydra {

struct Region {  // [row0, row1) x [col0, col1) of the shown matrix
  Index row0 = 0, row1 = 0, col0 = 0, col1 = 0;
  enum class Role { self, input, affected } role = Role::input;
  bool operator==(const Region&) const = default;
};

// self: the cell itself (also in another matrix that shows the same number: head block and combined matrix, O_i and C).
// input: what the cell is computed from, through all stages and layers before, a term of the sum that it is first;
// affected: what an edit of the cell changes (editable cells), in layers after it, too. Empty when shown has nothing to
// do with the cell.
std::vector<Region> linked(const Trace& trace, const Cell& cell, const Site& shown);

}  // namespace hydra

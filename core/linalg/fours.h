// Loops over matrices of few columns: four columns at a time, these down all rows. Row by row every row would begin and
// end a loop of its own.
#pragma once
#include <type_traits>

#include "core/linalg/types.h"

namespace hydra {

// Numbers side by side, as many as are taken together.
template <class S, int COUNT>
using Few = Eigen::Array<S, 1, COUNT>;
template <class S, int COUNT>
Few<S, COUNT> few_at(const S* from) {
  return Eigen::Map<const Few<S, COUNT>>(from);
}
template <class S, int COUNT>
void put_few(const Few<S, COUNT>& few, S* to) {
  Eigen::Map<Few<S, COUNT>>{to} = few;
}

// visit(first, count) goes through all columns; count is a constant: MOST, 4 or 1.
template <int MOST = 4, class Visit>
void for_fours(Index cols, const Visit& visit) {
  Index col = 0;
  if constexpr (MOST > 4)
    for (; col + MOST <= cols; col += MOST) visit(col, std::integral_constant<int, MOST>());
  for (; col + 4 <= cols; col += 4) visit(col, std::integral_constant<int, 4>());
  for (; col < cols; ++col) visit(col, std::integral_constant<int, 1>());
}

}  // namespace hydra

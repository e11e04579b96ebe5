// Y = rows of a table: for each token the row of its word, or of its place; of a token made of several words the sum of
// their rows, in their order.
#pragma once
#include "core/linalg/array.h"
#include "core/linalg/index_lists.h"

namespace hydra::lookup {

// table [m x d], of which the rows alone are looked at that are named; rows one list per row of Y [n x d]; where a list
// is empty, Y stays as it is.
template <class S>
void forward(const Array<S>& table, const IndexLists& rows, MatOut<S> Y) {
  for (Index i = 0; i < Y.rows(); ++i) {
    const std::span<const Index> of_token = rows.of(i);
    for (std::size_t k = 0; k < of_token.size(); ++k)
      if (k == 0)
        Y.row(i) = table.row(of_token[k]);
      else
        Y.row(i) += table.row(of_token[k]);
  }
}

}  // namespace hydra::lookup

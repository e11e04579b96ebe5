// Room for other numbers in a matrix that is there already.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

// As resize, but the old numbers go only when there is memory for the new: Eigen's frees them first, and a matrix that
// was left so is freed twice. Assigning an expression, or another matrix, of another size resizes as well: assign a
// matrix made of it, which is moved.
template <class Matrix>
void fit(Matrix& matrix, Index rows, Index cols) {
  if (matrix.rows() != rows || matrix.cols() != cols) matrix = Matrix(rows, cols);
}

}  // namespace hydra

// Y = X W + b: projections, and what a head adds to the output.
#pragma once
#include "core/linalg/factor.h"

namespace hydra::linear {

// X [n x k], W [k x m], b [1 x m] or empty for none, Y [n x m]. Y must not overlap the others.
template <class S>
void forward(MatIn<S> X, const Factor<S>& W, MatIn<S> b, MatOut<S> Y);

// The derivatives of a number by X, W and b, from those by Y; each is added to what stands there.
template <class S>
void grad_X(MatIn<S> W, MatIn<S> dY, MatOut<S> dX);  // dY W^T
template <class S>
void grad_W(MatIn<S> X, MatIn<S> dY, MatOut<S> dW);  // X^T dY
template <class S>
void grad_b(MatIn<S> dY, MatOut<S> db);  // the sum of dY over rows

// Some columns of a bias; empty where there is none.
template <class S>
MatView<S> part_of(const Array<S>& b, Index first, Index count) {
  static const Mat<S> none;
  if (!b) return none;
  return b->middleCols(first, count);
}

}  // namespace hydra::linear

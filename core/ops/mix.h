// O = A V: the values, weighted by how much each query attends to them. As a product it is linear, without a bias.
#pragma once
#include "core/ops/linear.h"

namespace hydra::mix {

// A [r x m], V [m x d_k], O [r x d_k]. O must not overlap the others.
template <class S>
void forward(MatIn<S> A, MatIn<S> V, MatOut<S> O) {
  linear::forward<S>(A, V, Mat<S>(), O);
}

// The derivatives of a number by A and V, from those by O; each is added to what stands there.
template <class S>
void grad_A(MatIn<S> V, MatIn<S> dO, MatOut<S> dA) {  // dO V^T
  linear::grad_X<S>(V, dO, dA);
}
template <class S>
void grad_V(MatIn<S> A, MatIn<S> dO, MatOut<S> dV) {  // A^T dO
  linear::grad_W<S>(A, dO, dV);
}

}  // namespace hydra::mix

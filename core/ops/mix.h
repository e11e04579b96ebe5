// O = A V: the values, weighted by how much each query attends to them.
#pragma once
#include "core/linalg/types.h"

namespace hydra::mix {

// A [r x m], V [m x d_k], O [r x d_k]. O must not overlap the others.
template <class S>
void forward(MatIn<S> A, MatIn<S> V, MatOut<S> O);

// The derivatives of a number by A and V, from those by O; each is added to what stands there.
template <class S>
void grad_A(MatIn<S> V, MatIn<S> dO, MatOut<S> dA);  // dO V^T
template <class S>
void grad_V(MatIn<S> A, MatIn<S> dO, MatOut<S> dV);  // A^T dO

}  // namespace hydra::mix

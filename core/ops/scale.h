// Y = g X: a head's gate.
#pragma once
#include "core/linalg/types.h"

namespace hydra::scale {

// Y may be X. 0 silences whatever X holds, NaN included; 1 leaves it as it is.
template <class S>
void forward(MatIn<S> X, S g, MatOut<S> Y) {
  if (g == 0)
    Y.setZero();
  else if (g != 1 || X.data() != Y.data())
    Y = g * X;
}

// The derivative of a number by X, from that by Y, is added to what stands there.
template <class S>
void grad_X(S g, MatIn<S> dY, MatOut<S> dX) {
  if (g != 0) dX += g * dY;
}

}  // namespace hydra::scale

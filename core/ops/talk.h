// Heads that hear one another: Y_h = sum over heads l of P[h, l] X_l, of the scores before softmax (P_L) or of the
// weights after it (P_W). Shazeer et al. 2020, "Talking-Heads Attention", section 3. A weight of 0 reads nothing, so
// that with the identity every head has what is its own, to the bit.
#pragma once
#include "core/linalg/types.h"

namespace hydra::talk {

// Row h of P [h x h]; part(l) is X_l. Y must not overlap the others.
template <class S, class Part>
void forward(MatIn<S> P, Index h, const Part& part, MatOut<S> Y) {
  Y.setZero();
  for (Index l = 0; l < P.cols(); ++l)
    if (P(h, l) != 0) Y += P(h, l) * part(l);
}

// The derivatives of a number by X_l and by P[h, l], from that by Y_h, which is 0 where what is heard is masked; X_l
// is not finite there.
template <class S>
void grad_X(S weight, MatIn<S> dY, MatOut<S> dX) {
  dX += weight * dY;
}
template <class S>
S grad_P(MatIn<S> X, MatIn<S> dY) {
  return (dY.array() == 0).select(S(0), X.array() * dY.array()).sum();
}

}  // namespace hydra::talk

#include "core/ops/mix.h"

#include "core/linalg/matmul.h"

namespace hydra::mix {

template <class S>
void forward(MatIn<S> A, MatIn<S> V, MatOut<S> O) {
  multiply<S>(A, V, O);
}

template <class S>
void grad_A(MatIn<S> V, MatIn<S> dO, MatOut<S> dA) {
  dA.noalias() += dO * V.transpose();
}

template <class S>
void grad_V(MatIn<S> A, MatIn<S> dO, MatOut<S> dV) {
  dV.noalias() += A.transpose() * dO;
}

#define HYDRA_MIX(S)                                       \
  template void forward<S>(MatIn<S>, MatIn<S>, MatOut<S>); \
  template void grad_A<S>(MatIn<S>, MatIn<S>, MatOut<S>);  \
  template void grad_V<S>(MatIn<S>, MatIn<S>, MatOut<S>);
HYDRA_MIX(float)
HYDRA_MIX(double)
#undef HYDRA_MIX

}  // namespace hydra::mix

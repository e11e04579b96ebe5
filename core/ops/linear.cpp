#include "core/ops/linear.h"

#include <cassert>

#include "core/linalg/matmul.h"

namespace hydra::linear {

template <class S>
void forward(MatIn<S> X, const Factor<S>& W, MatIn<S> b, MatOut<S> Y) {
  assert(b.size() == 0 || (b.rows() == 1 && b.cols() == W.cols()));
  multiply<S>(X, W, Y);
  if (b.size() > 0) Y.rowwise() += b.row(0);
}

template <class S>
void grad_X(MatIn<S> W, MatIn<S> dY, MatOut<S> dX) {
  dX.noalias() += dY * W.transpose();
}

template <class S>
void grad_W(MatIn<S> X, MatIn<S> dY, MatOut<S> dW) {
  dW.noalias() += X.transpose() * dY;
}

template <class S>
void grad_b(MatIn<S> dY, MatOut<S> db) {
  db.row(0) += dY.colwise().sum();
}

#define HYDRA_LINEAR(S)                                              \
  template void forward<S>(MatIn<S>, const Factor<S>&, MatIn<S>, MatOut<S>); \
  template void grad_X<S>(MatIn<S>, MatIn<S>, MatOut<S>);            \
  template void grad_W<S>(MatIn<S>, MatIn<S>, MatOut<S>);            \
  template void grad_b<S>(MatIn<S>, MatOut<S>);
HYDRA_LINEAR(float)
HYDRA_LINEAR(double)
#undef HYDRA_LINEAR

}  // namespace hydra::linear

#include "core/ops/gate.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/ops/linear.h"
#include "core/ops/softmax.h"

namespace hydra::gate {

namespace {

// Of a row, by the exponential that softmax has: exp(z) of no z above 0.
template <class S>
void sigmoid(S* row, Index count) {
  constexpr Index kChunk = 256;
  S e[kChunk];
  for (Index first = 0; first < count; first += kChunk) {
    const Index some = std::min(kChunk, count - first);
    S* u = row + first;
    for (Index k = 0; k < some; ++k) e[k] = -std::abs(u[k]);
    softmax::exponentials<S>(e, some, 0);
    for (Index k = 0; k < some; ++k) u[k] = (u[k] >= 0 ? 1 : e[k]) / (1 + e[k]);
  }
}

}  // namespace

template <class S>
void open(MatIn<S> X, MatIn<S> W, MatOut<S> G) {
  linear::forward<S>(X, W, Mat<S>(), G);
  for (Index i = 0; i < G.rows(); ++i) sigmoid(G.row(i).data(), G.cols());
}

template <class S>
void grad_open(MatIn<S> X, MatIn<S> W, MatIn<S> G, MatIn<S> dG, MatOut<S> dX, MatOut<S> dW) {
  const Mat<S> dU = dG.array() * G.array() * (1 - G.array());
  linear::grad_X<S>(W, dU, dX);
  linear::grad_W<S>(X, dU, dW);
}

template <class S>
void forward(MatIn<S> O, MatIn<S> G, MatOut<S> Y) {
  assert(G.rows() == O.rows() && (G.cols() == O.cols() || G.cols() == 1));
  if (G.cols() == 1)
    Y = O.array().colwise() * G.col(0).array();
  else
    Y = O.cwiseProduct(G);
}

template <class S>
void grad_O(MatIn<S> G, MatIn<S> dY, MatOut<S> dO) {
  if (G.cols() == 1)
    dO.array() += dY.array().colwise() * G.col(0).array();
  else
    dO += dY.cwiseProduct(G);
}

template <class S>
void grad_G(MatIn<S> O, MatIn<S> dY, MatOut<S> dG) {
  if (dG.cols() == 1)
    dG += dY.cwiseProduct(O).rowwise().sum();
  else
    dG += dY.cwiseProduct(O);
}

#define HYDRA_GATE(S)                                                                       \
  template void open<S>(MatIn<S>, MatIn<S>, MatOut<S>);                                     \
  template void grad_open<S>(MatIn<S>, MatIn<S>, MatIn<S>, MatIn<S>, MatOut<S>, MatOut<S>); \
  template void forward<S>(MatIn<S>, MatIn<S>, MatOut<S>);                                  \
  template void grad_O<S>(MatIn<S>, MatIn<S>, MatOut<S>);                                   \
  template void grad_G<S>(MatIn<S>, MatIn<S>, MatOut<S>);
HYDRA_GATE(float)
HYDRA_GATE(double)
#undef HYDRA_GATE

}  // namespace hydra::gate

#include "core/ops/activate.h"

#include <cassert>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "core/linalg/kernels/kernels.h"

namespace hydra::activate {

namespace {

constexpr double kRoot = 0.79788456080286535588, kCube = 0.044715;  // sqrt(2 / pi)

double sigmoid(double u) { return 1 / (1 + std::exp(-u)); }
double normal_share(double u) { return 0.5 * std::erfc(-u / std::numbers::sqrt2); }

}  // namespace

double value(Activation activation, double u) {
  switch (activation) {
    case Activation::relu:
      return u > 0 || std::isnan(u) ? u : 0;
    case Activation::gelu:
      return u * normal_share(u);
    case Activation::gelu_tanh:
      return u * sigmoid(2 * kRoot * (u + kCube * u * u * u));  // (1 + tanh z) / 2, without its cancellation
    case Activation::silu:
      return u * sigmoid(u);
    case Activation::relu_squared:
      return u > 0 || std::isnan(u) ? u * u : 0;
  }
  return u;
}

double slope(Activation activation, double u) {
  switch (activation) {
    case Activation::relu:
      return u > 0 ? 1 : 0;
    case Activation::gelu:
      return normal_share(u) + u * std::exp(-0.5 * u * u) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    case Activation::gelu_tanh: {
      const double t = std::tanh(kRoot * (u + kCube * u * u * u));
      return 0.5 * (1 + t) + 0.5 * u * (1 - t * t) * kRoot * (1 + 3 * kCube * u * u);
    }
    case Activation::silu: {
      const double s = sigmoid(u);
      return s * (1 + u * (1 - s));
    }
    case Activation::relu_squared:
      return u > 0 ? 2 * u : 0;
  }
  return 1;
}

namespace {

kernels::Set::Activate* kernel_of(Activation activation) {
  const kernels::Set& kernels = kernels::chosen();
  switch (activation) {
    case Activation::relu:
      return kernels.relu;
    case Activation::gelu:
      return kernels.gelu;
    case Activation::gelu_tanh:
      return kernels.gelu_tanh;
    case Activation::silu:
      return kernels.silu;
    case Activation::relu_squared:
      return kernels.relu_squared;
  }
  return kernels.relu;
}

}  // namespace

template <class S>
void forward(MatIn<S> U, MatIn<S> G, Activation activation, MatOut<S> H) {
  for (Index i = 0; i < U.rows(); ++i) {
    const S* u = U.row(i).data();
    S* h = H.row(i).data();
    if constexpr (std::is_same_v<S, float>)
      kernel_of(activation)(u, U.cols(), h);
    else
      for (Index k = 0; k < U.cols(); ++k) h[k] = value(activation, u[k]);
    if (G.size() > 0) H.row(i).array() *= G.row(i).array();
  }
}

template <class S>
void grad_U(MatIn<S> U, MatIn<S> G, Activation activation, MatIn<S> dH, MatOut<S> dU) {
  for (Index i = 0; i < U.rows(); ++i)
    for (Index k = 0; k < U.cols(); ++k) {
      const S d = G.size() > 0 ? dH(i, k) * G(i, k) : dH(i, k);
      dU(i, k) += d * static_cast<S>(slope(activation, static_cast<double>(U(i, k))));
    }
}

template <class S>
void grad_G(MatIn<S> U, Activation activation, MatIn<S> dH, MatOut<S> dG) {
  for (Index i = 0; i < U.rows(); ++i)
    for (Index k = 0; k < U.cols(); ++k)
      dG(i, k) += dH(i, k) * static_cast<S>(value(activation, static_cast<double>(U(i, k))));
}

#define HYDRA_ACTIVATE(S)                                                       \
  template void forward<S>(MatIn<S>, MatIn<S>, Activation, MatOut<S>);          \
  template void grad_U<S>(MatIn<S>, MatIn<S>, Activation, MatIn<S>, MatOut<S>); \
  template void grad_G<S>(MatIn<S>, Activation, MatIn<S>, MatOut<S>);
HYDRA_ACTIVATE(float)
HYDRA_ACTIVATE(double)
#undef HYDRA_ACTIVATE

}  // namespace hydra::activate

#include "core/ops/activate.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "core/ops/softmax.h"

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
  }
  return 1;
}

namespace {

// In single precision, some numbers at a time, by the exponential that softmax has: exp(z) of no z above 0.
constexpr Index kChunk = 256;
using Chunk = std::array<float, kChunk>;

// u sigmoid(z), z from z_of(u).
template <class Argument>
void times_sigmoid(const float* u, Index count, const Argument& z_of, float* out) {
  Chunk e;
  for (Index k = 0; k < count; ++k) e[static_cast<std::size_t>(k)] = -std::abs(z_of(u[k]));
  softmax::exponentials<float>(e.data(), count, 0);
  for (Index k = 0; k < count; ++k) {
    const float small = e[static_cast<std::size_t>(k)];
    out[k] = u[k] * ((z_of(u[k]) >= 0 ? 1 : small) / (1 + small));
  }
}

// u Phi(u), by a fit of erfc whose relative error is below 1.2e-7 (Press et al. 1992, section 6.2).
void times_normal_share(const float* u, Index count, float* out) {
  Chunk e;
  for (Index k = 0; k < count; ++k) {
    const float x = std::abs(u[k]) * static_cast<float>(1 / std::numbers::sqrt2), t = 1 / (1 + 0.5f * x);
    float fit = 0.17087277f;
    for (const float c : {-0.82215223f, 1.48851587f, -1.13520398f, 0.27886807f, -0.18628806f, 0.09678418f, 0.37409196f,
                          1.00002368f, -1.26551223f})
      fit = fit * t + c;
    e[static_cast<std::size_t>(k)] = std::min(0.0f, fit - x * x);
  }
  softmax::exponentials<float>(e.data(), count, 0);
  for (Index k = 0; k < count; ++k) {
    const float x = std::abs(u[k]) * static_cast<float>(1 / std::numbers::sqrt2);
    const float half = 0.5f / (1 + 0.5f * x) * e[static_cast<std::size_t>(k)];
    out[k] = u[k] * (u[k] >= 0 ? 1 - half : half);
  }
}

void bend(const float* u, Index count, Activation activation, float* out) {
  switch (activation) {
    case Activation::relu:
      for (Index k = 0; k < count; ++k) out[k] = u[k] > 0 || std::isnan(u[k]) ? u[k] : 0;
      return;
    case Activation::gelu:
      return times_normal_share(u, count, out);
    case Activation::gelu_tanh:
      return times_sigmoid(
          u, count, [](float v) { return static_cast<float>(2 * kRoot) * (v + static_cast<float>(kCube) * v * v * v); },
          out);
    case Activation::silu:
      return times_sigmoid(
          u, count, [](float v) { return v; }, out);
  }
}

}  // namespace

template <class S>
void forward(MatIn<S> U, MatIn<S> G, Activation activation, MatOut<S> H) {
  for (Index i = 0; i < U.rows(); ++i) {
    const S* u = U.row(i).data();
    S* h = H.row(i).data();
    if constexpr (std::is_same_v<S, float>)
      for (Index k = 0; k < U.cols(); k += kChunk) bend(u + k, std::min(kChunk, U.cols() - k), activation, h + k);
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

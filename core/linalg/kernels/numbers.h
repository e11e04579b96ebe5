// What is done number by number. For set.cpp alone, like lanes.h.
#pragma once
#include "core/linalg/kernels/softmax.h"

namespace {

constexpr float kRootHalf = 0.70710678118654752f;  // of what the normal distribution's erfc is taken
constexpr float kTwoRoot = 1.59576912160573071f;   // 2 sqrt(2 / pi)
constexpr float kCube = 0.044715f;                 // Hendrycks and Gimpel 2016, eq. 3

inline Lanes<kLanes> size_of(Lanes<kLanes> x) { return x < 0 ? -x : x; }

// out = f(from), a register at a time, the last one filled up with zeros: a number goes through the same arithmetic
// wherever it stands. out may be from.
template <class Function>
inline void map(const float* from, Size count, float* out, const Function& f) {
  Size k = 0;
  for (; k + kLanes <= count; k += kLanes) store(f(load<kLanes>(from + k)), out + k);
  if (k == count) return;
  float rest[kLanes] = {};
  for (Size i = k; i < count; ++i) rest[i - k] = from[i];
  store(f(load<kLanes>(rest)), rest);
  for (Size i = k; i < count; ++i) out[i] = rest[i - k];
}

// A NaN stays one.
void relu(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return v <= 0 ? Lanes<kLanes>{} : v; });
}

// u Phi(u), by a fit of erfc whose relative error is below 1.2e-7 (Press et al. 1992, section 6.2).
void gelu(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) {
    const Lanes<kLanes> x = size_of(v) * kRootHalf, t = 1 / (1 + 0.5f * x);
    Lanes<kLanes> fit = t * 0.17087277f - 0.82215223f;
    fit = fit * t + 1.48851587f;
    fit = fit * t - 1.13520398f;
    fit = fit * t + 0.27886807f;
    fit = fit * t - 0.18628806f;
    fit = fit * t + 0.09678418f;
    fit = fit * t + 0.37409196f;
    fit = fit * t + 1.00002368f;
    fit = fit * t - 1.26551223f;
    const Lanes<kLanes> power = fit - x * x;
    const Lanes<kLanes> half = 0.5f * t * exponential(power > 0 ? Lanes<kLanes>{} : power);
    return v * (v < 0 ? half : 1 - half);
  });
}

// v / (1 + exp(-z)), of two forms the one whose exponential is of no z above 0.
inline Lanes<kLanes> times_sigmoid(Lanes<kLanes> v, Lanes<kLanes> z) {
  const Lanes<kLanes> small = exponential(-size_of(z)), whole = Lanes<kLanes>{} + 1;
  return v * ((z < 0 ? small : whole) / (1 + small));
}

// u (1 + tanh(sqrt(2 / pi) (u + 0.044715 u^3))) / 2
void gelu_tanh(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return times_sigmoid(v, kTwoRoot * (v + kCube * v * v * v)); });
}

void silu(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return times_sigmoid(v, v); });
}

// 0 where none is finite.
float largest_finite(const float* values, Size count) {
  constexpr float most = __FLT_MAX__;
  Lanes<kLanes> tops[4] = {};
  const auto meet = [](Lanes<kLanes> x, Lanes<kLanes>& top) {
    const Lanes<kLanes> size = size_of(x);
    top = size <= most && size > top ? size : top;
  };
  Size k = 0;
  for (; k + 4 * kLanes <= count; k += 4 * kLanes)
    HYDRA_REGISTERS for (int part = 0; part < 4; ++part) meet(load<kLanes>(values + k + part * kLanes), tops[part]);
  for (; k + kLanes <= count; k += kLanes) meet(load<kLanes>(values + k), tops[0]);
  float sizes[kLanes] = {};
  for (Size i = k; i < count; ++i) sizes[i - k] = values[i];
  meet(load<kLanes>(sizes), tops[0]);
  float largest = 0;
  for (const Lanes<kLanes>& top : tops)
    for (int lane = 0; lane < kLanes; ++lane) largest = top[lane] > largest ? top[lane] : largest;
  return largest;
}

}  // namespace

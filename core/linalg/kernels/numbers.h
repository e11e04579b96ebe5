// What is done number by number. For set.cpp alone, like lanes.h.
#pragma once
#include "core/linalg/kernels/softmax.h"

namespace {

constexpr float kTwoRoot = 1.59576912160573071f;  // 2 sqrt(2 / pi)
constexpr float kCube = 0.044715f;                // Hendrycks and Gimpel 2016, eq. 3

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

void gelu(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return v * share_below(v); });
}

// u (1 + tanh(sqrt(2 / pi) (u + 0.044715 u^3))) / 2
void gelu_tanh(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return times_sigmoid(v, kTwoRoot * (v + kCube * v * v * v)); });
}

void silu(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return times_sigmoid(v, v); });
}

void relu_squared(const float* u, Size count, float* out) {
  map(u, count, out, [](Lanes<kLanes> v) { return v <= 0 ? Lanes<kLanes>{} : v * v; });
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

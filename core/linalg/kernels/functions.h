// Functions of registers. For those alone who are compiled for every instruction set, like lanes.h.
#pragma once
#include "core/linalg/kernels/lanes.h"

namespace {

constexpr float kRootHalf = 0.70710678118654752f;  // of what the normal distribution's erfc is taken

inline Lanes<kLanes> size_of(Lanes<kLanes> x) { return x < 0 ? -x : x; }

// exp(x) for x <= 0, and 0 where that is next to no normal number: numbers that are not normal some processors take a
// hundred times as long for. x = n ln 2 + r, and exp(r) = 1 + r + r^2 q(r) for |r| <= ln 2 / 2, with q as near to it as
// can be (largest error of the whole 3.6e-9, a 16th of a unit in the last place). A NaN stays one.
inline Lanes<kLanes> exponential(Lanes<kLanes> x) {
  using Bits [[gnu::vector_size(4 * kLanes)]] = unsigned;
  constexpr float lowest = -87.33f, rounding = 0x1.8p23f;  // a number so large has no digits after the point
  const Lanes<kLanes> shifted = x * 0x1.715476p0f + rounding, n = shifted - rounding;
  Lanes<kLanes> r = x - n * 0x1.63p-1f;  // ln 2 in two parts; n times the first is exact
  r = r + n * 0x1.bd0106p-13f;
  Lanes<kLanes> q = r * 0.00138145406f + 0.00836874545f;
  q = q * r + 0.041668389f;
  q = q * r + 0.166665211f;
  q = q * r + 0.49999994f;
  q = q * r + 1.0f;
  q = q * r + 1.0f;
  Bits power;  // of two, from the digits of n in `shifted`
  __builtin_memcpy(&power, &shifted, sizeof power);
  power = (power << 23) + (127u << 23);
  Lanes<kLanes> scale;
  __builtin_memcpy(&scale, &power, sizeof scale);
  return x < lowest ? Lanes<kLanes>{} : q * scale;
}

// Phi, the share of the normal distribution below v, by a fit of erfc whose relative error is below 1.2e-7 (Press et
// al. 1992, section 6.2).
inline Lanes<kLanes> share_below(Lanes<kLanes> v) {
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
  return v < 0 ? half : 1 - half;
}

// v / (1 + exp(-z)), of two forms the one whose exponential is of no z above 0.
inline Lanes<kLanes> times_sigmoid(Lanes<kLanes> v, Lanes<kLanes> z) {
  const Lanes<kLanes> small = exponential(-size_of(z)), whole = Lanes<kLanes>{} + 1;
  return v * ((z < 0 ? small : whole) / (1 + small));
}

}  // namespace

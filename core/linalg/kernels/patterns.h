// Sums over patterns, in double. For set.cpp alone, like lanes.h.
//
// Every sum is taken in sixteen lanes, in registers of any width, which are added up at the end.
#pragma once
#include "core/linalg/kernels/lanes.h"

namespace {

constexpr int kSummed = 16, kDoubles = kLanes / 2, kSumParts = kSummed / kDoubles;
using Doubles [[gnu::vector_size(8 * kDoubles)]] = double;

struct Sums {
  Doubles part[kSumParts];
};
#define HYDRA_FOR_SUMS HYDRA_REGISTERS for (int k = 0; k < kSumParts; ++k)

inline Doubles doubles_at(const float* from) { return __builtin_convertvector(load<kDoubles>(from), Doubles); }
inline Doubles doubles_at(const double* from) {
  Doubles doubles;
  __builtin_memcpy(&doubles, from, sizeof doubles);
  return doubles;
}

inline double total(const Sums& sums) {
  double lanes[kSummed];
  __builtin_memcpy(lanes, &sums, sizeof lanes);
  for (int half = kSummed / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  return lanes[0];
}

// Adds term(a, b) of all pairs to sums; the last ones are filled up with zeros.
template <class T, class Term>
inline double sum_of(const float* a, const T* b, Size count, const Term& term) {
  Sums sums = {};
  Size i = 0;
  for (; i + kSummed <= count; i += kSummed)
    HYDRA_FOR_SUMS term(doubles_at(a + i + k * kDoubles), doubles_at(b + i + k * kDoubles), sums.part[k]);
  if (i < count) {
    float last_a[kSummed] = {};
    T last_b[kSummed] = {};
    for (Size j = 0; i + j < count; ++j) {
      last_a[j] = a[i + j];
      last_b[j] = b[i + j];
    }
    HYDRA_FOR_SUMS term(doubles_at(last_a + k * kDoubles), doubles_at(last_b + k * kDoubles), sums.part[k]);
  }
  return total(sums);
}

template <class T>
double dot(const float* a, const T* b, Size count) {
  return sum_of(a, b, count, [](Doubles x, Doubles y, Doubles& sum) { sum += x * y; });
}

// x ln x for x from 0 to 1; 0 ln 0 = 0. Exact to a few units of the last place: with x = 2^e f, f between the roots of
// 1/2 and 2, ln f = 2 artanh s = 2 (s + s^3 / 3 + s^5 / 5 + ...), s = (f - 1) / (f + 1), |s| < 0.172.
inline Doubles x_ln_x(Doubles x) {
  using Bits [[gnu::vector_size(8 * kDoubles)]] = unsigned long long;
  constexpr unsigned long long one = 0x3FF0000000000000, root_of_half = 0x3FE6A09E667F3BCD,
                               two_to_52 = 0x4330000000000000;
  const Doubles positive = x + __DBL_MIN__;  // changes nothing but 0
  Bits bits;
  __builtin_memcpy(&bits, &positive, sizeof bits);
  const Bits exponent = (bits - root_of_half + one) >> 52;  // e + 1023
  const Bits fraction = bits - (exponent << 52) + one, counted = exponent | two_to_52;
  Doubles e, f;
  __builtin_memcpy(&e, &counted, sizeof e);
  __builtin_memcpy(&f, &fraction, sizeof f);
  e = e - (0x1p52 + 1023);
  const Doubles s = (f - 1) / (f + 1), t = s * s, u = t * t;
  Doubles series = t * (1.0 / 21) + 1.0 / 19;
  series = series * u + (t * (1.0 / 17) + 1.0 / 15);
  series = series * u + (t * (1.0 / 13) + 1.0 / 11);
  series = series * u + (t * (1.0 / 9) + 1.0 / 7);
  series = series * u + (t * (1.0 / 5) + 1.0 / 3);
  const Doubles half_ln_f = s * t * series + s;
  return x * (e * 0x1.62e42fefa39efp-1 + (half_ln_f + half_ln_f));
}

double entropy_of_mean(const float* a, const float* b, Size count) {
  return -sum_of(a, b, count, [](Doubles x, Doubles y, Doubles& sum) { sum += x_ln_x((x + y) * 0.5); });
}

#undef HYDRA_FOR_SUMS

}  // namespace

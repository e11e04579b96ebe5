// Registers of lanes, and how they are transposed. For the files that define Scalar and kLanes alone (set.cpp,
// reference.cpp): a nameless namespace, and no header with code of its own.
#pragma once
#include "core/lanes/plan.h"

namespace {

using hydra::kernels::Size;

#define HYDRA_UNROLLED _Pragma("GCC unroll 16")

using Register [[gnu::vector_size(sizeof(Scalar) * kLanes)]] = Scalar;
using Whole [[gnu::vector_size(4 * kLanes)]] = int;
using Counters [[gnu::vector_size(4 * kLanes)]] = unsigned;

inline Register all(Scalar value) { return value - Register{}; }  // 0 + value would be computed, for -0 is not 0
inline Register larger(Register x, Register y) { return x > y ? x : y; }

#define HYDRA_SHUFFLE __builtin_shufflevector

// sums[k] = the sum of the lanes of v[k], for as many as a register has; always in the same order.
template <int LANES, class R>
struct Folded;
template <class R>
struct Folded<2, R> {
  static R of(const R* v) { return HYDRA_SHUFFLE(v[0], v[1], 0, 2) + HYDRA_SHUFFLE(v[0], v[1], 1, 3); }
};
template <class R>
struct Folded<4, R> {
  static R two(R a, R b) { return HYDRA_SHUFFLE(a, b, 0, 1, 4, 5) + HYDRA_SHUFFLE(a, b, 2, 3, 6, 7); }
  static R of(const R* v) {
    const R a = two(v[0], v[1]), b = two(v[2], v[3]);
    return HYDRA_SHUFFLE(a, b, 0, 2, 4, 6) + HYDRA_SHUFFLE(a, b, 1, 3, 5, 7);
  }
};
template <class R>
struct Folded<8, R> {
  static R two(R a, R b) {
    return HYDRA_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11) + HYDRA_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
  static R four(const R* v) {
    const R a = two(v[0], v[1]), b = two(v[2], v[3]);
    return HYDRA_SHUFFLE(a, b, 0, 1, 4, 5, 8, 9, 12, 13) + HYDRA_SHUFFLE(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
  }
  static R of(const R* v) {
    const R a = four(v), b = four(v + 4);
    return HYDRA_SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14) + HYDRA_SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  }
};
template <class R>
struct Folded<16, R> {
  static R two(R a, R b) {
    return HYDRA_SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
           HYDRA_SHUFFLE(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  }
  static R four(const R* v) {
    const R a = two(v[0], v[1]), b = two(v[2], v[3]);
    return HYDRA_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
           HYDRA_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  }
  static R eight(const R* v) {
    const R a = four(v), b = four(v + 4);
    return HYDRA_SHUFFLE(a, b, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29) +
           HYDRA_SHUFFLE(a, b, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
  }
  static R of(const R* v) {
    const R a = eight(v), b = eight(v + 8);
    return HYDRA_SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
           HYDRA_SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  }
};
inline Register sums_of(const Register* v) { return Folded<kLanes, Register>::of(v); }

// The sum of the lanes, in their order.
inline double sum_of(Register v) {
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += static_cast<double>(v[lane]);
  return sum;
}

// A square of registers, transposed: what was lane k of register j is lane j of register k. Each round puts the lanes
// of the first half between those of the second; after as many rounds as halvings all are in place.
template <int LANES, class R>
struct Between;
template <class R>
struct Between<2, R> {
  static R low(R a, R b) { return HYDRA_SHUFFLE(a, b, 0, 2); }
  static R high(R a, R b) { return HYDRA_SHUFFLE(a, b, 1, 3); }
};
template <class R>
struct Between<4, R> {
  static R low(R a, R b) { return HYDRA_SHUFFLE(a, b, 0, 4, 1, 5); }
  static R high(R a, R b) { return HYDRA_SHUFFLE(a, b, 2, 6, 3, 7); }
};
template <class R>
struct Between<8, R> {
  static R low(R a, R b) { return HYDRA_SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
  static R high(R a, R b) { return HYDRA_SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
};
template <class R>
struct Between<16, R> {
  static R low(R a, R b) { return HYDRA_SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23); }
  static R high(R a, R b) { return HYDRA_SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31); }
};
inline void transpose(Register* square) {
  for (int round = 1; round < kLanes; round *= 2) {
    Register next[kLanes];
    HYDRA_UNROLLED for (int k = 0; k < kLanes / 2; ++k) {
      next[2 * k] = Between<kLanes, Register>::low(square[k], square[k + kLanes / 2]);
      next[2 * k + 1] = Between<kLanes, Register>::high(square[k], square[k + kLanes / 2]);
    }
    HYDRA_UNROLLED for (int k = 0; k < kLanes; ++k) square[k] = next[k];
  }
}

#undef HYDRA_SHUFFLE

// A random number for a lane and a place: a counter, mixed (the finalizer of MurmurHash3).
inline Counters mixed(Counters bits) {
  bits ^= bits >> 16;
  bits *= 0x85ebca6bu;
  bits ^= bits >> 13;
  bits *= 0xc2b2ae35u;
  return bits ^ (bits >> 16);
}
inline Counters random_bits(Counters key, unsigned place) { return mixed(mixed(key + place * 0x9e3779b9u) ^ key); }
// Mean 0, variance 1, at most 3.5: the sum of four uniform numbers of sixteen bits.
inline Register random_normal(Counters key, unsigned place) {
  const Counters a = random_bits(key, 2 * place), b = random_bits(key, 2 * place + 1);
  const Counters sum = (a & 0xffffu) + (a >> 16) + (b & 0xffffu) + (b >> 16);
  const Whole centred = __builtin_convertvector(sum, Whole) - 131070;
  return __builtin_convertvector(centred, Register) * static_cast<Scalar>(1 / 37837.2266);
}

}  // namespace

// Numbers side by side in a register. For set.cpp alone: a nameless namespace, so that nothing of it is shared between
// objects of different instruction sets, and no header with code of its own.
#pragma once
#include "core/linalg/kernels/kernels.h"

namespace {

using hydra::kernels::Size;

// The widest that this instruction set has: wider ones the compiler would take apart, slowly.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

// Before a loop over registers: each is named by itself. An array that a loop runs through stands in memory.
#define HYDRA_REGISTERS _Pragma("GCC unroll 16")

template <int LANES>
struct LanesOf {
  using type [[gnu::vector_size(4 * LANES)]] = float;
};
template <int LANES>
using Lanes = typename LanesOf<LANES>::type;

// From and to any place, aligned or not.
template <int LANES>
inline Lanes<LANES> load(const float* from) {
  Lanes<LANES> lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
template <class Register>
inline void store(Register lanes, float* to) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}

// The columns of from [4 x 4].
struct Four {
  Lanes<4> row[4];
};
inline Four transposed(const float* from, Size stride) {
  const Lanes<4> a = load<4>(from), b = load<4>(from + stride), c = load<4>(from + 2 * stride),
                 d = load<4>(from + 3 * stride);
  const Lanes<4> ac = __builtin_shufflevector(a, c, 0, 4, 1, 5), AC = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const Lanes<4> bd = __builtin_shufflevector(b, d, 0, 4, 1, 5), BD = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  return {{__builtin_shufflevector(ac, bd, 0, 4, 1, 5), __builtin_shufflevector(ac, bd, 2, 6, 3, 7),
           __builtin_shufflevector(AC, BD, 0, 4, 1, 5), __builtin_shufflevector(AC, BD, 2, 6, 3, 7)}};
}

}  // namespace

// Functions of registers of floats. For set.cpp alone.
#pragma once
#include "core/lanes/registers.h"
#include "core/linalg/kernels/functions.h"

namespace {

inline Register root(Register x) {
  HYDRA_UNROLLED for (int lane = 0; lane < kLanes; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
  return x;
}
// Of positive normal numbers, within 2 units in the last place: x = m 2^e with m from sqrt(1/2) to sqrt(2), and ln m by
// a polynomial (Moshier's Cephes, logf). A NaN stays one.
inline Register logarithm(Register x) {
  Counters bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const Counters shifted = bits - 0x3f3504f3u;  // sqrt(1/2)
  const Whole exponent = reinterpret_cast<Whole>(shifted) >> 23;
  bits = (shifted & 0x7fffffu) + 0x3f3504f3u;
  Register m;
  __builtin_memcpy(&m, &bits, sizeof m);
  const Register r = m - 1, e = __builtin_convertvector(exponent, Register);
  Register q = r * 7.0376836292e-2f - 1.1514610310e-1f;
  q = q * r + 1.1676998740e-1f;
  q = q * r - 1.2420140846e-1f;
  q = q * r + 1.4249322787e-1f;
  q = q * r - 1.6668057665e-1f;
  q = q * r + 2.0000714765e-1f;
  q = q * r - 2.4999993993e-1f;
  q = q * r + 3.3333331174e-1f;
  const Register made = e * 0.693147180559945f + (r + (r * r * r * q - 0.5f * r * r));
  return x == x ? made : x;
}
inline Register sigmoid(Register x) { return times_sigmoid(all(1), x); }
inline Register normal_share(Register x) { return share_below(x); }

}  // namespace

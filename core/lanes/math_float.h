// Functions of registers of floats. For set.cpp alone.
#pragma once
#include "core/lanes/registers.h"
#include "core/linalg/kernels/functions.h"

namespace {

inline Register root(Register x) {
  HYDRA_UNROLLED for (int lane = 0; lane < kLanes; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
  return x;
}
inline Register logarithm(Register x) {  // few are taken
  for (int lane = 0; lane < kLanes; ++lane) x[lane] = __builtin_logf(x[lane]);
  return x;
}
inline Register sigmoid(Register x) { return times_sigmoid(all(1), x); }
inline Register normal_share(Register x) { return share_below(x); }

}  // namespace

// Functions of registers of doubles, as good as the library's. For reference.cpp alone.
#pragma once
#include <cmath>

#include "core/lanes/registers.h"

namespace {

template <class Function>
inline Register by_lane(Register x, const Function& f) {
  for (int lane = 0; lane < kLanes; ++lane) x[lane] = f(x[lane]);
  return x;
}
inline Register exponential(Register x) {
  return by_lane(x, [](double v) { return std::exp(v); });
}
inline Register root(Register x) {
  return by_lane(x, [](double v) { return std::sqrt(v); });
}
inline Register logarithm(Register x) {
  return by_lane(x, [](double v) { return std::log(v); });
}
inline Register sigmoid(Register x) {
  return by_lane(x, [](double v) { return 1 / (1 + std::exp(-v)); });
}
inline Register normal_share(Register x) {  // Phi
  return by_lane(x, [](double v) { return std::erfc(-v / std::sqrt(2.0)) / 2; });
}

}  // namespace

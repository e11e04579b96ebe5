// Activations of feed-forward parts with their derivatives (ops/activate.h). For the files that define Scalar and
// kLanes alone.
#pragma once
#include "core/lanes/registers.h"

namespace {

struct Activated {
  Register value, slope;
};
inline Activated activated(int activation, Register u) {
  constexpr Scalar two_root = static_cast<Scalar>(1.5957691216057308);  // 2 sqrt(2 / pi)
  constexpr Scalar cube = static_cast<Scalar>(0.044715), by_root = static_cast<Scalar>(0.3989422804014327);
  switch (activation) {  // in the order of Activation
    case 0: {
      const Register on = u > 0 ? all(1) : Register{};
      return {u * on, on};
    }
    case 1: {
      const Register share = normal_share(u);
      return {u * share, share + u * by_root * exponential(static_cast<Scalar>(-0.5) * u * u)};
    }
    case 2: {
      const Register s = sigmoid(two_root * (u + cube * u * u * u));
      return {u * s, s + u * s * (1 - s) * two_root * (1 + 3 * cube * u * u)};
    }
    case 3: {
      const Register s = sigmoid(u);
      return {u * s, s + u * s * (1 - s)};
    }
    default: {
      const Register on = u > 0 ? u : Register{};
      return {on * on, 2 * on};
    }
  }
}

}  // namespace

// The kernels in double, for tests: what their derivatives are compared with would be lost in floats.
#include "core/lanes/kernels.h"

namespace {
using Scalar = double;
constexpr int kLanes = 2;
}  // namespace
// math_double.h first: the steps use what it defines.
#include "core/lanes/math_double.h"
//
#include "core/lanes/activation.h"
#include "core/lanes/walk.h"

namespace {
inline double square_root(double x) { return std::sqrt(x); }
}  // namespace
#include "core/lanes/optimize.h"

namespace hydra::lanes {
const Set<double>& reference() {
  static const Set<double> set = {"reference", kLanes, run, gather_gradients, adam, momentum};
  return set;
}
}  // namespace hydra::lanes

// The set of kernels for the instruction set that this is compiled for: HYDRA_KERNEL_SET names it
// (cmake/kernels.cmake).
#include "core/linalg/kernels/lanes.h"

namespace {
using Scalar = float;
}
// math_float.h first: the steps use what it defines.
#include "core/lanes/math_float.h"
//
#include "core/lanes/activation.h"
#include "core/lanes/walk.h"

namespace {
inline float square_root(float x) { return __builtin_sqrtf(x); }
}  // namespace
#include "core/lanes/optimize.h"

#define HYDRA_TEXT(name) #name
#define HYDRA_NAME(name) HYDRA_TEXT(name)

namespace hydra::lanes::HYDRA_KERNEL_SET {
extern const Set<float> set;
const Set<float> set = {HYDRA_NAME(HYDRA_KERNEL_SET), kLanes, run, gather_gradients, adam, momentum};
}  // namespace hydra::lanes::HYDRA_KERNEL_SET

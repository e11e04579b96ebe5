// The set of kernels for the instruction set that this is compiled for: HYDRA_KERNEL_SET names it
// (cmake/kernels.cmake).
#include "core/linalg/kernels/numbers.h"
#include "core/linalg/kernels/patterns.h"
#include "core/linalg/kernels/product.h"
#include "core/linalg/kernels/softmax.h"

#define HYDRA_TEXT(name) #name
#define HYDRA_NAME(name) HYDRA_TEXT(name)

namespace hydra::kernels::HYDRA_KERNEL_SET {
extern const Set set;
const Set set = {HYDRA_NAME(HYDRA_KERNEL_SET),
                 product,
                 softmax,
                 exponentials,
                 relu,
                 gelu,
                 gelu_tanh,
                 silu,
                 relu_squared,
                 largest_finite,
                 dot<float>,
                 dot<double>,
                 entropy_of_mean};
}  // namespace hydra::kernels::HYDRA_KERNEL_SET

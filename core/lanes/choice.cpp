#include "core/lanes/kernels.h"

#include <cstring>

namespace hydra::lanes {

namespace plain {
extern const Set<float> set;
}
namespace avx2 {
extern const Set<float> set;
}
namespace avx512 {
extern const Set<float> set;
}

const Set<float>& chosen() { return named(kernels::chosen().name); }

const Set<float>& named(const char* name) {
#ifdef HYDRA_WIDE_KERNELS
  if (std::strcmp(name, "avx2") == 0) return avx2::set;
  if (std::strcmp(name, "avx512") == 0) return avx512::set;
#endif
  (void)name;
  return plain::set;
}

}  // namespace hydra::lanes

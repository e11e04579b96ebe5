#include <cstdlib>
#include <string>

#include "core/error.h"
#include "core/linalg/kernels/kernels.h"

namespace hydra::kernels {

namespace plain {
extern const Set set;
}
namespace avx2 {
extern const Set set;
}
namespace avx512 {
extern const Set set;
}

namespace {

// Asks for just what cmake/kernels.cmake has the compiler use.
Sets find_supported() {
  Sets sets = {{&plain::set, nullptr, nullptr}, 1};
#ifdef HYDRA_WIDE_KERNELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.of[sets.count++] = &avx2::set;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) sets.of[sets.count++] = &avx512::set;
  }
#endif
  return sets;
}

}  // namespace

const Sets& supported() {
  static const Sets sets = find_supported();
  return sets;
}

const Set& named(const char* name) {
  const Sets& sets = supported();
  if (name == nullptr || *name == '\0') return *sets.of[sets.count - 1];
  std::string names;
  for (int k = 0; k < sets.count; ++k) {
    if (sets.of[k]->name == std::string(name)) return *sets.of[k];
    names += (k == 0 ? "" : ", ") + std::string(sets.of[k]->name);
  }
  throw InputError("HYDRA_KERNELS is \"" + std::string(name) + "\", which this processor does not run: name one of " +
                   names + ", or none to have the best");
}

const Set& chosen() {
  static const Set& set = named(std::getenv("HYDRA_KERNELS"));
  return set;
}

}  // namespace hydra::kernels

#include <sys/mman.h>

#include "core/files/anonymous.h"

namespace hydra {

int anonymous_file() { return ::memfd_create("hydrascope", MFD_CLOEXEC); }

}  // namespace hydra

#include "core/files/anonymous.h"

namespace hydra {

int anonymous_file() { return -1; }

}  // namespace hydra

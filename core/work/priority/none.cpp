#include "core/work/priority.h"

namespace hydra {

void let_others_go_first() {}

}  // namespace hydra

#include <sys/resource.h>

#include "core/work/priority.h"

namespace hydra {

void let_others_go_first() {
  constexpr int kNice = 10;               // a tenth of what a thread at 0 has
  ::setpriority(PRIO_PROCESS, 0, kNice);  // 0: the calling thread, not its process (setpriority(2), NOTES)
}

}  // namespace hydra

// Threads have stacks of their own.
#include "app/platform/web/stacks.h"

void hydra::use_page_stacks() {}

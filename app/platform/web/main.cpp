// The program in a page: its window opens with the opening document; the one in the page's address, if there is one, is
// opened after it (start.js).
#include <sys/stat.h>

#include "app/platform/web/bridge.h"
#include "app/platform/web/stacks.h"
#include "app/window_main.h"
#include "core/error.h"

int main() {
  ::umask(022);  // what it begins with hides the files that are made from who made them
  hydra::use_page_stacks();
  try {
    return hydra::run_window("", {});
  } catch (const hydra::InputError& fault) {
    hydra_fail(fault.what());
    return 2;
  }
}

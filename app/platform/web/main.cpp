// The program in a page: its window opens with the opening document; the one in the page's address, if there is one, is
// opened after it (start.js).
#include <sys/stat.h>
#include <unistd.h>

#include "app/platform/web/bridge.h"
#include "app/platform/web/stacks.h"
#include "app/window_main.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/text/wording.h"

// Of ?wording=, as its bytes came (start.js); its first line names it.
constexpr const char* kWording = "/wording";

int main() {
  ::umask(022);  // what it begins with hides the files that are made from who made them
  hydra::use_page_stacks();
  try {
    if (::access(kWording, R_OK) == 0) {
      using namespace hydra;
      const std::string text = read_whole(kWording);
      const std::size_t end = text.find('\n');
      use_wording(parse_wording(std::string_view(text).substr(end + 1), text.substr(0, end), &shipped_wording()));
    }
    return hydra::run_window("", {});
  } catch (const hydra::InputError& fault) {
    hydra_fail(fault.what());
    return 2;
  }
}

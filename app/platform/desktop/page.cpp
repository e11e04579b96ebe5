#include "app/platform/page.h"

#include <cstdlib>

namespace hydra {

bool in_browser() { return false; }
bool fingers_point() { return false; }

std::string page_address() {
  const char* address = std::getenv("HYDRASCOPE_PAGE");
  return address != nullptr ? address : "";
}

}  // namespace hydra

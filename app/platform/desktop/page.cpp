#include "app/platform/page.h"

#include <cstdlib>

namespace hydra {

std::string page_address() {
  const char* address = std::getenv("HYDRASCOPE_PAGE");
  return address != nullptr ? address : "";
}

}  // namespace hydra

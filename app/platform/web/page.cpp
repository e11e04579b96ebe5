#include "app/platform/page.h"

#include <cstdlib>

#include "app/platform/web/bridge.h"

namespace hydra {

bool in_browser() { return true; }

std::string page_address() {
  char* const text = hydra_page_address();
  std::string address = text;
  std::free(text);
  return address;
}

}  // namespace hydra

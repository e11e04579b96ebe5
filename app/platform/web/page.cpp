#include "app/platform/page.h"

#include <cstdlib>

#include "app/platform/web/bridge.h"
#include "app/platform/web/window_state.h"

namespace hydra {

bool in_browser() { return true; }

bool fingers_point() { return Window::State::only && Window::State::only->touched; }

std::string page_address() {
  char* const text = hydra_page_address();
  std::string address = text;
  std::free(text);
  return address;
}

}  // namespace hydra

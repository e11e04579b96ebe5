#include "core/files/state_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace hydra {

std::string state_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr && value[0] == '/' ? value : "");  // a relative one is to be ignored
  };
  std::string home = variable("HOME");
  if (home.empty()) {
    const passwd* user = ::getpwuid(::getuid());
    if (user != nullptr && user->pw_dir != nullptr && user->pw_dir[0] == '/') home = user->pw_dir;
  }
#ifdef __APPLE__
  return home.empty() ? "" : home + "/Library/Application Support/Hydrascope";
#else
  const std::string state = variable("XDG_STATE_HOME");
  if (!state.empty()) return state + "/hydrascope";
  return home.empty() ? "" : home + "/.local/state/hydrascope";
#endif
}

}  // namespace hydra

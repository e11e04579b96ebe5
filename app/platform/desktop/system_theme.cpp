#include "app/platform/desktop/system_theme.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "app/platform/loop.h"

namespace hydra {

namespace {

// GNOME's way, which other desktops follow, else macOS's.
constexpr const char* kQuestion =
    "{ gsettings get org.gnome.desktop.interface color-scheme || defaults read -g AppleInterfaceStyle; } </dev/null "
    "2>/dev/null";

bool ask_system() {
  std::string text;
  if (FILE* const answer = ::popen(kQuestion, "r")) {
    std::array<char, 256> line;
    while (std::fgets(line.data(), line.size(), answer)) text += line.data();
    ::pclose(answer);
  }
  wake_loop();
  return names_dark_theme(text);
}

}  // namespace

bool names_dark_theme(std::string_view text) {
  const std::size_t last = text.find_last_not_of("'\n ");
  text = text.substr(0, last == text.npos ? 0 : last + 1);
  return text == "Dark" || text.ends_with("-dark") || text.ends_with(":dark");
}

SystemTheme::SystemTheme() {
  const char* const named = std::getenv("GTK_THEME");
  if (named && *named)
    dark_ = names_dark_theme(named);
  else
    answer_ = std::async(std::launch::async, ask_system);
}

bool SystemTheme::is_dark() {
  if (!answer_.valid()) return dark_;
  const std::chrono::milliseconds patience(std::exchange(asked_, true) ? 0 : 50);
  if (answer_.wait_for(patience) == std::future_status::ready) dark_ = answer_.get();
  return dark_;
}

}  // namespace hydra

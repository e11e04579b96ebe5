// Whether the system's windows are dark, where it can be asked without a library: once, in the background.
#pragma once
#include <future>
#include <string_view>

namespace hydra {

// By the name of a theme, "Adwaita:dark" or "Yaru-dark"; by an answer of gsettings, "'prefer-dark'", or of macOS,
// "Dark".
bool names_dark_theme(std::string_view text);

class SystemTheme {
 public:
  SystemTheme();   // GTK_THEME is believed, else a program of the system is asked
  bool is_dark();  // no, until the answer is there; the first call gives it a moment

 private:
  std::future<bool> answer_;
  bool dark_ = false, asked_ = false;
};

}  // namespace hydra

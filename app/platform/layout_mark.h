// Where ImGui's stacks stand, to bring them back there after an exception went through what was being laid out.
#pragma once
#include <imgui.h>
#include <imgui_internal.h>

namespace hydra {

#if IMGUI_VERSION_NUM >= 19130
class LayoutMark {
 public:
  LayoutMark() { ImGui::ErrorRecoveryStoreState(&state_); }
  void come_back();

 private:
  ImGuiErrorRecoveryState state_;
};
#else
class LayoutMark {
 public:
  LayoutMark();  // within a window, with nothing pushed since its Begin that is popped later
  // Ends every window, popup, table and group begun since, and pops what was pushed.
  void come_back();

 private:
  int windows_, fonts_, colors_, style_vars_, clips_;
};
#endif

}  // namespace hydra

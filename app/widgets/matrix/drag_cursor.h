#pragma once
#include <imgui.h>

namespace hydra::ui {

// The last item is dragged to the sides: the eye is told so, and a page, in which a finger elsewhere moves the view.
inline void drag_cursor() {
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
}

}  // namespace hydra::ui

#include "app/widgets/room.h"

#include "imgui_internal.h"

namespace hydra::ui {

bool scroll_page(std::string_view window, float heights) {
  ImGuiWindow* largest = nullptr;
  for (ImGuiWindow* room : ImGui::GetCurrentContext()->Windows) {
    if (!room->Active || room->Hidden || room->ScrollMax.y < 1 || !std::string_view(room->Name).starts_with(window))
      continue;
    if (!largest || room->InnerRect.GetArea() > largest->InnerRect.GetArea()) largest = room;
  }
  if (!largest) return false;
  const float step = heights * (largest->InnerRect.GetHeight() - ImGui::GetFontSize());
  ImGui::SetScrollY(largest, std::clamp(largest->Scroll.y + step, 0.0f, largest->ScrollMax.y));
  return true;
}

}  // namespace hydra::ui

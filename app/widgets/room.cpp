#include "app/widgets/room.h"

#include "imgui_internal.h"

namespace hydra::ui {

bool begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls) {
  constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  return ImGui::BeginChild(
      name, size, false,
      ImGuiWindowFlags_NavFlattened | (scrolls == Scrolls::no         ? kStill
                                       : scrolls == Scrolls::sideways ? ImGuiWindowFlags_HorizontalScrollbar
                                                                      : ImGuiWindowFlags_None));
}

void end_room() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

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

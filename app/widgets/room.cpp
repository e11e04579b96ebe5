#include "app/widgets/room.h"

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

}  // namespace hydra::ui

// The overlay of keys, written from the command table.
#include "app/views/commands.h"
#include "app/views/controls.h"
#include "app/views/views.h"
#include "app/widgets/probe.h"

namespace hydra {

void draw_help(Frame& frame) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::GetForegroundDrawList();
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.5f * screen.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {6 * frame.unit, 5 * frame.unit});
  const bool open =
      ImGui::Begin("Keys", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  if (open) {
    ui::heading(frame, "Keys");
    if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
      for (const Command& command : commands()) {
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
        ImGui::Text("%s   ", command.keys);
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        ImGui::Text("%s      ", command.text);
      }
      ImGui::EndTable();
    }
    ImGui::Dummy({0, frame.unit});
    if (ui::button(frame, "help/close", "Close", nullptr)) frame.view.show_help = false;
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::IsMouseClicked(0))
      frame.view.show_help = false;
  }
  ImGui::End();
}

}  // namespace hydra

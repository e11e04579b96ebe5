// Before a change for which there may not be enough memory.
#include "app/views/controls.h"
#include "app/views/views.h"

namespace hydra {

void draw_memory_question(Frame& frame) {
  constexpr const char* kTitle = "Is there enough memory?";
  std::string& question = frame.view.memory_question;
  if (question.empty()) return;
  if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.4f * screen.y}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings))
    return;
  ImGui::PushTextWrapPos(std::min(30 * ImGui::GetFontSize(), 0.9f * screen.x));
  ImGui::TextUnformatted(question.c_str());
  ImGui::PopTextWrapPos();
  const bool go_on = ui::button(frame, "memory/go_on", "Change it all the same", "");
  ImGui::SameLine();
  const bool stay =
      ui::button(frame, "memory/stay", "Leave it", "") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (go_on || stay) {
    frame.out.send(Outbox::Answer{go_on});
    question.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace hydra

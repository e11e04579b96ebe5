#include "app/views/shell/question.h"

#include "app/platform/input.h"
#include "app/views/frame/ui.h"

namespace hydra {

namespace {

// What the keys say: the answer, or -1.
int typed_answer(Question& question) {
  const int last = int_size(question.answers) - 1;
  const bool back = ImGui::GetIO().KeyShift;
  if (ui::key_pressed(key::escape)) return last;
  if (ui::key_pressed(key::left, true) || (back && ui::key_pressed(key::tab, true))) --question.chosen;
  if (ui::key_pressed(key::right, true) || (!back && ui::key_pressed(key::tab, true))) ++question.chosen;
  question.chosen = std::clamp(question.chosen, 0, last);
  const bool agreed = ui::key_pressed(key::enter) || ui::key_pressed(key::space);
  return agreed ? question.chosen : -1;
}

int answers(const Frame& frame, const Question& question) {
  int clicked = -1;
  for (int k = 0; k < int_size(question.answers); ++k) {
    const std::string& answer = nth(question.answers, k);
    if (k > 0) ImGui::SameLine(0, 2 * frame.unit);
    if (ui::chip(frame, "question/" + answer, answer, k == question.chosen, "")) clicked = k;
  }
  return clicked;
}

// Broken between words alone: a name with points in it stays whole.
void paragraph(const Frame& frame, ImFont* font, float width, const std::string& words) {
  ImGui::Dummy({width, ui::paragraph(frame, font, ImGui::GetCursorScreenPos(), width, frame.theme.ink, words)});
}

}  // namespace

void draw_question(Frame& frame) {
  if (!frame.front.question) return;
  Question& question = *frame.front.question;
  if (!ImGui::IsPopupOpen("question")) ImGui::OpenPopup("question");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(34 * ImGui::GetFontSize(), screen.x - 16 * frame.unit);
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.4f * screen.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {6 * frame.unit, 4 * frame.unit});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.panel);  // on which answers look like buttons
  const bool open = ImGui::BeginPopupModal("question", nullptr,
                                           ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::Dummy({0, frame.unit});
  paragraph(frame, frame.fonts.strong, width, question.title);
  ImGui::Dummy({0, frame.unit});
  for (const std::string& line : question.lines) paragraph(frame, frame.fonts.text, width, line);
  ImGui::Dummy({width, 2 * frame.unit});
  const int typed = typed_answer(question), clicked = answers(frame, question);
  const int answer = clicked >= 0 ? clicked : typed;
  if (answer >= 0) {
    ImGui::CloseCurrentPopup();
    frame.out.act(act::Answer{answer});
  }
  ImGui::EndPopup();
}

}  // namespace hydra

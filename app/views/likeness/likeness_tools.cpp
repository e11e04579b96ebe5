// Likeness: heads moved towards their mean, and heads driven apart.
#include "app/views/likeness/likeness_parts.h"
#include "app/views/likeness/likeness_view.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

// --- collapse

void collapse_slider(Frame& frame, float width) {
  float amount = frame.view.likeness.collapse.value_or(0.0f);
  ImGui::SetNextItemWidth(width - 3.2f * ImGui::GetFontSize());
  const bool moved = ImGui::SliderFloat("##collapse", &amount, 0, 1, "", ImGuiSliderFlags_AlwaysClamp);
  const bool released = ImGui::IsItemDeactivated();
  ui::probe("likeness/collapse");
  ui::tip(
      "Moves the weights of every head towards the mean of all heads: at 0 they are as they were, at 1 all are the "
      "same.");
  if (moved) frame.out.send(Outbox::Collapse{amount});
  if (released) frame.out.commit();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui::fixed(amount, 2).c_str());
}

// --- repel

void repel_button(Frame& frame) {
  const std::optional<Repelling>& repelling = frame.view.likeness.repelling;
  const bool under_way = repelling && !repelling->over;
  const bool several = layer_of(frame).heads.size() > 1;
  if (ui::button(frame, "likeness/repel", "Repel",
                 "Steps of gradient descent on W_Q and W_K that lower the mean pairwise cosine of the patterns.",
                 several && !under_way))
    frame.out.send(Outbox::Repel{});
  if (!repelling || repelling->layer != frame.view.layer) return;
  if (!under_way && (!repelling->present || repelling->steps == 0)) return;  // of other weights
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.ink_soft);
  ImGui::PushFont(frame.fonts.small);
  const bool begun = repelling->steps > 0;
  ImGui::TextUnformatted(begun ? repel_text(*repelling, frame.fonts.unicode).c_str() : "being computed");
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ui::probe("likeness/repelled");
}

// --- pairs worth a look

void pair_chip(Frame& frame, const char* name, const char* what, const std::optional<std::pair<int, int>>& pair,
               const char* tip) {
  if (!pair) return;
  const std::string label = what + std::to_string(pair->first + 1) + " and " + std::to_string(pair->second + 1);
  const bool on = frame.view.likeness.compared == pair;
  if (!ui::chip(frame, name, label, on, tip)) return;
  frame.view.likeness.compared = on ? std::nullopt : pair;
}

void pair_chips(Frame& frame, float width) {
  const LikenessMotion& motion = frame.view.likeness.motion;
  if (!motion.most_alike()) return;
  pair_chip(frame, "likeness/most_alike", "Most alike: ", motion.most_alike(),
            "The two heads that this measure finds most alike, side by side with their difference.");
  const float gap = 1.5f * frame.unit;
  if (ImGui::GetItemRectSize().x + gap + ui::chip_width("Least alike: 00 and 00") <= width) ImGui::SameLine(0, gap);
  pair_chip(frame, "likeness/least_alike", "Least alike: ", motion.least_alike(),
            "The two heads that this measure finds least alike, side by side with their difference.");
}

}  // namespace

std::string repel_text(const Repelling& repelling, bool unicode) {
  const std::string arrow = unicode ? " → " : " to ";
  return "mean cosine " + ui::fixed(repelling.before, 3) + arrow + ui::fixed(repelling.after, 3) + " in " +
         ui::counted(repelling.steps, "step");
}

float likeness_tools_height(const Frame& frame) {
  return frame.fonts.strong->FontSize + 4 * ImGui::GetFrameHeight() + 8 * frame.unit;
}

void draw_likeness_tools(Frame& frame, ImVec2 pos, ImVec2 size) {
  if (size.x < 8 * frame.fonts.text->FontSize) return;
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  ImGui::BeginGroup();
  ImGui::PushFont(frame.fonts.strong);
  ImGui::TextUnformatted("Collapse towards the mean weights");
  ImGui::PopFont();
  collapse_slider(frame, size.x);
  repel_button(frame);
  pair_chips(frame, size.x);
  ImGui::EndGroup();
  ImGui::PopStyleVar();
}

}  // namespace hydra

// Likeness: heads moved towards their mean, and heads driven apart.
#include "app/views/frame/ui.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/likeness/likeness_view.h"
#include "app/widgets/matrix/drag_cursor.h"

namespace hydra {

namespace {

// --- collapse

void collapse_slider(Frame& frame, float width) {
  float amount = frame.tools.collapse.value_or(0.0f);
  ImGui::SetNextItemWidth(width - 3.2f * ImGui::GetFontSize());
  const bool moved = ImGui::SliderFloat("##collapse", &amount, 0, 1, "", ImGuiSliderFlags_AlwaysClamp);
  ui::drag_cursor();
  const bool released = ImGui::IsItemDeactivated();
  ui::probe("likeness/collapse");
  ui::tip(frame, wording("likeness:collapse.tip"));
  if (moved) frame.out.act(act::Collapse{amount});
  if (released) frame.out.commit();
  ImGui::SameLine();
  ui::text(frame, ui::number(amount, As::brief), {.aligned = true});
}

// --- repel

void repel_button(Frame& frame, float right) {
  const std::optional<Repelling>& repelling = frame.tools.repelling;
  const bool under_way = repelling && !repelling->over;
  const bool several = layer_of(frame).heads.size() > 1;
  if (ui::button(frame, "likeness/repel", wording("likeness:repel"), wording("likeness:repel.tip"),
                 several && !under_way))
    frame.out.act(act::Repel{});
  if (!repelling || repelling->layer != frame.view.layer) return;
  if (!under_way && (!repelling->present || repelling->steps == 0)) return;  // of other weights
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.ink_soft);
  ImGui::PushFont(frame.fonts.small);
  const bool begun = repelling->steps > 0;
  const float room = right - ImGui::GetCursorScreenPos().x;
  ui::text(frame, begun ? repel_text(*repelling, frame.fonts.unicode, frame.fonts.small, room)
                        : wording("likeness:repel.being_computed"));
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ui::probe("likeness/repelled");
}

// --- of all layers

// Which layer has which colour.
void layer_colors(const Frame& frame, float width) {
  const auto layers = int_size(frame.trace.layers);
  ImFont* font = frame.fonts.small;
  const std::string first = wording("likeness:layer", {{"layer", 1}}), last = std::to_string(layers);
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float left = pos.x + text_width(font, first) + frame.unit, gap = frame.unit + text_width(font, last);
  const float right = std::min(pos.x + width - gap, left + 12 * font->FontSize), step = (right - left) / real(layers);
  frame.canvas.text_at(font, pos, frame.theme.ink_soft, first);
  for (int k = 0; k < layers; ++k)
    frame.canvas.fill({left + real(k) * step, pos.y + 0.2f * font->FontSize},
                      {left + real(k + 1) * step, pos.y + 0.9f * font->FontSize}, layer_color(frame, k));
  frame.canvas.text_at(font, {right + frame.unit, pos.y}, frame.theme.ink_soft, last);
  ImGui::Dummy({width, 1.2f * font->FontSize});
  ui::probe("likeness/layer_colors");
}

// --- pairs worth a look

// label, tip: texts.
void pair_chip(LikenessParts& parts, const char* name, const char* label,
               const std::optional<std::pair<int, int>>& pair, const char* tip) {
  if (!pair) return;
  const bool on = parts.compared == pair;
  const std::string said =
      wording(label, {{"first", parts.number(pair->first)}, {"second", parts.number(pair->second)}});
  if (ui::chip(parts.frame, name, said, on, wording(tip))) parts.compare(on ? std::nullopt : pair);
}

void pair_chips(LikenessParts& parts, float width) {
  const LikenessMotion& motion = parts.motion();
  if (!motion.most_alike()) return;
  pair_chip(parts, "likeness/most_alike", "likeness:most_alike", motion.most_alike(), "likeness:most_alike.tip");
  const float gap = 1.5f * parts.frame.unit;
  const char* number = parts.all() ? "00.00" : "00";
  const float widest = ui::chip_width(wording("likeness:least_alike", {{"first", number}, {"second", number}}));
  if (ImGui::GetItemRectSize().x + gap + widest <= width) ImGui::SameLine(0, gap);
  pair_chip(parts, "likeness/least_alike", "likeness:least_alike", motion.least_alike(), "likeness:least_alike.tip");
}

}  // namespace

std::string repel_text(const Repelling& repelling, bool unicode, ImFont* font, float room) {
  const std::string before = ui::number(repelling.before, As::share), after = ui::number(repelling.after, As::share);
  const std::string cosines =
      unicode ? before + " → " + after : wording("likeness:repelled.cosines", {{"before", before}, {"after", after}});
  const std::string whole = wording("likeness:repelled", {{"cosines", cosines}, {"steps", repelling.steps}});
  if (!font) return whole;
  return fitting(font, room,
                 {whole, wording("likeness:repelled.brief", {{"cosines", cosines}}),
                  wording("likeness:repelled.briefer", {{"cosines", cosines}}), cosines,
                  wording("likeness:repelled.least", {{"after", after}}), after});
}

float likeness_tools_height(const Frame& frame) {
  return frame.fonts.strong->FontSize + 4 * ImGui::GetFrameHeight() + 8 * frame.unit;
}

void draw_likeness_tools(LikenessParts& parts) {
  Frame& frame = parts.frame;
  const ImVec2 pos = parts.at.tools, size = parts.at.tools_size;
  if (size.x < 8 * frame.fonts.text->FontSize) return;
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  ImGui::BeginGroup();
  if (parts.all()) {
    layer_colors(frame, size.x);
  } else {
    ui::text(frame, wording("likeness:collapse.title"), {.font = frame.fonts.strong});
    collapse_slider(frame, size.x);
    repel_button(frame, pos.x + size.x);
  }
  pair_chips(parts, size.x);
  ImGui::EndGroup();
  ImGui::PopStyleVar();
}

}  // namespace hydra

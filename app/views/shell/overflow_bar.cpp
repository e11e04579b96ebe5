// One line above the status line while numbers are beyond what floats hold: which, what they come from. A click selects
// the first of them.
#include "app/views/frame/ui.h"
#include "app/views/shell/views.h"
#include "core/explain/overflow.h"

namespace hydra {

namespace {

ImFont* font_of(const Frame& frame) { return frame.view.presentation ? frame.fonts.large : frame.fonts.text; }

std::string words_of(const Frame& frame) {
  return spelled(frame, wording("panels:not_finite", {{"what", frame.trace.overflow->sentence}}));
}

}  // namespace

float overflow_bar_height(const Frame& frame, float width) {
  if (!frame.trace.overflow) return 0;
  ImFont* font = font_of(frame);
  const float room = width - 6 * frame.unit;
  return font->CalcTextSizeA(font->FontSize, room, room, drawable(font, words_of(frame)).c_str()).y + 2 * frame.unit;
}

void draw_overflow_bar(Frame& frame) {
  if (!frame.trace.overflow) return;
  const ImVec2 pos = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImFont* font = font_of(frame);
  frame.canvas.line(pos, {pos.x + size.x, pos.y}, frame.theme.error);
  frame.canvas.text_within(font, {pos.x + 3 * frame.unit, pos.y + frame.unit}, frame.theme.error, words_of(frame),
                           size.x - 6 * frame.unit);
  const Canvas::Item item = frame.canvas.item("overflow", {pos, size});
  if (item.over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (item.clicked) select(frame, frame.trace.overflow->cell);
}

}  // namespace hydra

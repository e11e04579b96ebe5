// One line: what is under the pointer with its value, notices, and the time of the last recompute.
#include <cstdio>

#include "app/views/views.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"

namespace hydra {

namespace {

std::string value_text(const Frame& frame, const CellRef& cell) {
  const Backing backing = picture_of(frame, cell.matrix);
  const float value = (*backing.matrix)(backing.row0 + cell.row, backing.col0 + cell.col);
  const bool masked = cell.matrix.quantity == Quantity::scores && value == -std::numeric_limits<float>::infinity();
  return masked ? "masked" : ui::number(value, 4);
}

std::string facts(const Frame& frame) {
  const LayerInput<float>& input = frame.trace.layers.front().input;
  char text[160];
  const std::string time = frame.view.still ? "" : "   recompute " + ui::number(frame.status.evaluate_ms, 2) + " ms";
  std::snprintf(text, sizeof text, "%d tokens   %d heads × %d%s%s", static_cast<int>(input.n()),
                static_cast<int>(input.heads), static_cast<int>(input.d_k()), time.c_str(),
                frame.status.computing ? "   computing" : "");
  const std::string name =
      frame.status.file_name.empty() ? "" : frame.status.file_name + (frame.status.modified ? " (edited)   " : "   ");
  return name + text;
}

}  // namespace

void draw_status_bar(Frame& frame) {
  const ViewState& view = frame.view;
  ImFont* font = view.presentation ? frame.fonts.large : frame.fonts.text;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 pos = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float y = pos.y + 0.5f * (size.y - font->FontSize), left = pos.x + 3 * frame.unit,
              right = pos.x + size.x - 3 * frame.unit;
  const std::string right_text = facts(frame);
  const float right_width = text_width(frame.fonts.small, right_text);
  text_at(list, frame.fonts.small, {right - right_width, pos.y + 0.5f * (size.y - frame.fonts.small->FontSize)},
          frame.theme.ink_soft, right_text);

  const float room = right - right_width - left - 6 * frame.unit;
  const auto& cell = view.hover ? view.hover : view.selection;
  if (!view.notice.empty() && (view.notice_is_error || !view.hover)) {
    text_at(list, font, {left, y}, view.notice_is_error ? frame.theme.error : frame.theme.ink,
            clipped(font, view.notice, room));
  } else if (cell) {
    const std::string label = cell_label(frame.trace, *cell);
    const std::string place =
        symbol(cell->matrix, !frame.fonts.unicode) + (label.front() == '[' ? label : "[" + label + "]") + " = ";
    const std::string value = value_text(frame, *cell);
    text_at(list, font, {left, y}, frame.theme.ink, place);
    text_at(list, font, {left + text_width(font, place), y}, frame.theme.accent, value);
    const float used = text_width(font, place + value) + 4 * frame.unit;
    text_at(list, font, {left + used, y}, frame.theme.ink_soft, clipped(font, description(cell->matrix), room - used));
  } else {
    font = frame.fonts.text;
    text_at(list, font, {left, pos.y + 0.5f * (size.y - font->FontSize)}, frame.theme.ink_soft,
            clipped(font, "Point at any number. Click it to see how it is computed. Press ? for the keys.", room));
  }
  ImGui::Dummy({1, 1});
  ui::probe("status", pos, {pos.x + size.x, pos.y + size.y});
}

}  // namespace hydra

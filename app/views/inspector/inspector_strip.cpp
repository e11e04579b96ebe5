// The inspector of a presentation and of a narrow window: a strip at the bottom, so that what an edit moves is in
// sight. The room of its two lines is always kept.
#include <algorithm>
#include <utility>

#include "app/scene/sides.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/shared/outline_key.h"
#include "app/views/shell/spoken.h"
#include "app/views/shell/views.h"

namespace hydra::inspector {

namespace {

std::string written(double value, int digits) {
  std::string text = ui::in_column(value, digits);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

std::string term_text(const Step& step, const StepLayout& layout, int t) {
  const Term& term = nth(step.terms, t);
  const Signs& signs = signs_of(step.combine);
  std::string text = signs.before;
  for (std::size_t f = 0; f < term.factors.size(); ++f)
    text +=
        (f > 0 ? " " + std::string(signs.between) + " " : "") + written(term.factors[f].value, layout.factor_digits[f]);
  return text + signs.after;
}

// "0.31 · 1.20 + 0.90 · 0.77 + 14 more = 50.44": the largest terms first, as many as fit.
// own: the term that the next step goes on with, first; or -1.
std::string step_line(const Frame& frame, const Step& step, const StepLayout& layout, int own, float width) {
  if (step.terms.empty()) return step.text;
  ImFont* font = frame.fonts.text;
  const std::string result = " = " + written(step.result, layout.value_digits);
  const int count = int_size(step.terms);
  std::vector<int> order;
  if (own >= 0) order.push_back(own);
  for (const int t : layout.strongest)
    if (t != own) order.push_back(t);
  const auto with = [&](int shown) {
    std::string text;
    for (int k = 0; k < shown; ++k) {
      const int t = count > shown ? nth(order, k) : k;
      text += (k > 0 ? "  +  " : "") + term_text(step, layout, t);
    }
    if (count > shown) text += "  +  " + wording("inspector:strip.more_terms", {{"n", count - shown}});
    text += result;
    return spelled(frame, count > 1 ? wording("inspector:strip.sum", {{"n", count}, {"sum", text}}) : text);
  };
  int shown = std::min(count, 8);
  while (shown > 1 && text_width(font, with(shown)) > width) --shown;
  return with(shown);
}

// Too narrow for a number's name and buttons beside its steps, and for a matrix beside them.
bool is_stacked(const Frame& frame, float width) { return width < 40 * frame.fonts.text->FontSize; }

// Of a step's terms the one that is what the next step begins with, as a row's exponential is of its weight; or -1.
int carried_on(const std::vector<Step>& steps, std::size_t s) {
  if (s + 1 >= steps.size() || steps[s + 1].terms.size() != 1 || steps[s].terms.size() < 2) return -1;
  const double value = steps[s + 1].terms.front().factors.front().value;
  const auto found = std::ranges::find(steps[s].terms, value, &Term::value);
  return found == steps[s].terms.end() ? -1 : static_cast<int>(found - steps[s].terms.begin());
}

// "Q₁[too, 58]": of a row of a token its word.
std::string title_of(const Frame& frame, const Cell& cell) {
  const Shape shape = shape_of(frame.trace, cell.site);
  const std::string place = cell_label(frame.trace, cell);
  if (shape.row_axis != Axis::token || place.front() != '[') return cell_title(frame.trace, cell);
  return symbol(cell.site) + "[" + axis_label(frame.trace, Axis::token, cell.row) + ", " +
         axis_label(frame.trace, shape.col_axis, cell.col) + "]";
}

// Whose number it is, and the last steps, each in a line, two or after the status line one. buttons: so wide at the
// right end.
void draw_lines(Frame& frame, const Cell& cell, float width, float buttons, std::size_t lines) {
  const Explained& explained = frame.derived.explained(cell, frame.view.selected_heads);
  const std::vector<Step>& steps = explained.explanation.steps;
  ImFont* font = frame.fonts.text;
  ImVec2 pos = ImGui::GetCursorScreenPos();
  const std::string title = spelled(frame, title_of(frame, cell)) + ":";
  const bool stacked = is_stacked(frame, width);
  const float room = stacked ? width - buttons : 0.4f * (width - buttons);
  frame.canvas.text_at(frame.fonts.strong, pos, frame.theme.accent, title, room);
  ui::probe("strip/title", pos, {pos.x + text_width(frame.fonts.strong, title), pos.y + font->FontSize});
  const float left = std::min(text_width(frame.fonts.strong, title), room) + 3 * frame.unit;
  if (stacked)
    pos.y += ImGui::GetFrameHeight();
  else
    pos.x += left, width -= left + buttons;
  const float middle = pos.y + 0.5f * font->FontSize;
  float key = hands_of(frame).lines_in_status == 2 ? draw_outline_key(frame, pos.x + width, middle, 0.4f * width) : 0;
  for (std::size_t s = steps.size() > lines ? steps.size() - lines : 0; s < steps.size(); ++s) {
    const bool last = s + 1 == steps.size();
    const float free = width - std::exchange(key, 0.0f);
    frame.canvas.text_at(font, pos, ink_for(frame, last),
                         step_line(frame, steps[s], explained.steps[s], carried_on(steps, s), free), free);
    ui::probe(ui::words("strip/step/", s), pos, {pos.x + free, pos.y + font->FontSize});
    pos.y += line_height(frame);
  }
}

// All steps, the sum first in sight, and beside them the numbers of the matrix, or below.
void draw_whole(Frame& frame, const std::optional<Cell>& cell, ImVec2 size) {
  const bool stacked = is_stacked(frame, size.x);
  const float half = stacked ? size.x : 0.5f * size.x;
  const float high = stacked ? 0.5f * size.y : size.y;
  const auto part = [&](const char* name, float width, const auto& draw) {
    if (ImGui::BeginChild(name, {width, high}, false, ImGuiWindowFlags_NavFlattened)) draw();
    ImGui::EndChild();
  };
  part("arithmetic", half - frame.unit, [&] {
    if (std::exchange(hands_of(frame).told, cell) != cell) ImGui::SetScrollY(0);
    if (!cell) return ui::soft_text(frame, offer_words(frame, wording("inspector:none")));
    draw_painting(frame, *cell);
    draw_arithmetic(frame, *cell);
  });
  if (!stacked) ImGui::SameLine(0, 2 * frame.unit);
  part("matrix", (stacked ? size.x : size.x - half) - frame.unit, [&] { draw_title_and_matrix(frame, high); });
}

bool lines_shown(const Frame& frame) {
  const Sides& sides = frame.view.sides;
  return are_called(frame.view) && sides.inspector && !sides.inspector_whole && selected_cell(frame);
}

}  // namespace

float line_height(const Frame& frame) { return 1.15f * frame.fonts.text->FontSize; }

float lines_height(const Frame& frame, float width) {
  return 2 * line_height(frame) + frame.unit + (is_stacked(frame, width) ? ImGui::GetFrameHeight() : 0);
}

bool lines_replace_status(const Frame& frame, float width) {
  return frame.view.presentation && !is_stacked(frame, width);
}

int decide_lines_in_status(Frame& frame, float width) {
  int& lines = hands_of(frame).lines_in_status;
  if (!frame.status.ready || !lines_replace_status(frame, width) || !lines_shown(frame)) return lines = 0;
  const Explained& explained = frame.derived.explained(*selected_cell(frame), frame.view.selected_heads);
  return lines = explained.explanation.steps.size() < 2 || status_adds_to_number(frame) ? 1 : 2;
}

float buttons_width(const Frame& frame) {
  const std::string* paint = lines_shown(frame) ? paint_words(*selected_cell(frame)) : nullptr;
  const float painting = paint ? ui::chip_width(*paint) + 2 * frame.unit : 0;
  return painting + ui::chip_width(wording("inspector:strip.more")) + 2 * frame.unit;
}

float strip_height(const Frame& frame, ImVec2 window) {
  const Sides& sides = frame.view.sides;
  if (!are_called(frame.view) || !sides.inspector) return 0;
  if (lines_shown(frame)) return lines_height(frame, window.x);
  return std::floor((is_stacked(frame, window.x) ? 0.45f : 0.28f) * window.y);
}

void draw_strip(Frame& frame) {
  const Sides& sides = frame.view.sides;
  const std::optional<Cell> cell = selected_cell(frame);
  ImVec2 corner = ImGui::GetCursorScreenPos();
  const int in_status = hands_of(frame).lines_in_status;
  corner.y -= 2 * frame.unit;  // the status line above leaves enough
  if (in_status > 0) corner.y += 0.5f * (ImGui::GetWindowSize().y - 2 * line_height(frame));
  ImGui::SetCursorScreenPos(corner);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (!exists(frame.trace, frame.view.inspected)) return;
  const bool whole = !cell || sides.inspector_whole;
  const std::string* paint = whole ? nullptr : paint_words(*cell);
  const float painting = paint ? ui::chip_width(*paint) + 2 * frame.unit : 0;
  const float buttons = buttons_width(frame);
  if (whole) {
    const bool stacked = is_stacked(frame, room.x);
    const float above = stacked && cell ? ImGui::GetFrameHeight() + frame.unit : 0;
    ImGui::SetCursorScreenPos({corner.x, corner.y + above});
    draw_whole(frame, cell, {stacked ? room.x : room.x - buttons, room.y - above});
  } else {
    if (in_status == 1) ImGui::SetCursorScreenPos({corner.x, corner.y + line_height(frame)});
    draw_lines(frame, *cell, room.x, buttons, in_status == 1 ? 1 : 2);
    edit_with_keys(frame);
    frame.choose(sides.inspector_whole, types_in_cell(frame));  // the numbers are typed in the matrix
    hands_of(frame).revealed.reset(), hands_of(frame).told.reset();
  }
  end_lost_drag(frame, cell);
  if (!cell) return;
  if (in_status > 0) corner.y = ImGui::GetWindowPos().y + 0.5f * (ImGui::GetWindowSize().y - ImGui::GetFrameHeight());
  if (paint) {
    ImGui::SetCursorScreenPos({corner.x + room.x - buttons + 2 * frame.unit, corner.y});
    if (paint_button(frame, *cell)) frame.choose(sides.inspector_whole, !frame.view.inspector.painting_open);
  }
  ImGui::SetCursorScreenPos({corner.x + room.x - buttons + painting + 2 * frame.unit, corner.y});
  if (ui::chip(frame, "strip/whole", wording(sides.inspector_whole ? "inspector:strip.less" : "inspector:strip.more"),
               sides.inspector_whole, wording("inspector:strip.more.tip")))
    frame.choose(sides.inspector_whole, !sides.inspector_whole);
}

}  // namespace hydra::inspector

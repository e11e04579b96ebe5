#include "app/widgets/matrix/matrix_editor.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/platform/input.h"
#include "app/widgets/matrix/heatmap.h"
#include "app/widgets/matrix/zero_ink.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"
#include "imgui_stdlib.h"

namespace hydra {

namespace {

constexpr float kTurn = 55;  // degrees of words above columns

std::string cell_text(float value, const ValueScale& scale) {
  if (!std::isfinite(value)) return ui::number(value);
  const float high = scale.end();
  return high < 1e-4f || high >= 1e5f ? ui::number(value, As::rough) : ui::in_column(value, grid_decimals(scale));
}

struct Metrics {
  ImVec2 cell;
  float row_header, col_header;
  bool wide, tall;  // has to be scrolled
};

Metrics measure(const MatrixGrid& g) {
  const float high = g.scale.end();
  const float widest = text_width(g.numbers, cell_text(g.scale.low < 0 ? -high : high, g.scale));
  Metrics m;
  m.cell = {std::ceil(widest + 2 * g.unit), std::ceil(g.numbers->FontSize + 1.75f * g.unit)};
  // Labels are measured a few: words and numbers of one axis are of a kind, and long words are clipped.
  const Index rows = g.values.rows(), cols = g.values.cols();
  float label = 0;
  for (Index i = 0; i < std::min<Index>(rows, 64); ++i) label = std::max(label, text_width(g.labels, g.row_label(i)));
  label = std::max(label, text_width(g.labels, g.row_label(rows - 1)));
  label += 0.4f * g.labels->FontSize;  // 100 is wider than 511
  m.row_header = std::ceil(std::min(label, 5.5f * g.labels->FontSize)) + 1.5f * g.unit;
  m.col_header = g.labels->FontSize + g.unit;
  if (g.words_above) {
    float longest = 0;
    for (Index j = 0; j < std::min<Index>(cols, 64); ++j)
      longest = std::max(longest, text_width(g.labels, g.col_label(j)));
    m.col_header = std::ceil(std::min(0.82f * longest, 3.6f * g.labels->FontSize)) + g.labels->FontSize;
  }
  m.tall = m.col_header + real(rows) * m.cell.y > g.room.y;
  const float room = g.room.x - m.row_header - (m.tall ? ImGui::GetStyle().ScrollbarSize : 0);
  const float least = std::ceil(widest + 0.75f * g.unit), most = std::ceil(1.35f * m.cell.x);
  const float fitting = std::floor(room / real(cols));
  m.wide = fitting < least;
  if (!m.wide) m.cell.x = std::min(fitting, most);
  return m;
}

ImU32 with_alpha(ImU32 color, float alpha) {
  const auto a = static_cast<ImU32>(real(color >> IM_COL32_A_SHIFT & 0xff) * alpha);
  return (color & ~IM_COL32_A_MASK) | a << IM_COL32_A_SHIFT;
}

// One call of matrix_grid: the pieces share where the cells lie.
class GridFrame {
 public:
  GridFrame(Canvas& canvas, const MatrixGrid& grid, const Metrics& metrics, ImVec2 pos, ImVec2 size)
      : canvas_(canvas),
        g_(grid),
        m_(metrics),
        body_{pos.x + m_.row_header, pos.y + m_.col_header},
        body_size_{std::max(1.0f, size.x - m_.row_header), std::max(1.0f, size.y - m_.col_header)} {}

  GridResult run(const char* id) {
    ImGui::SetCursorScreenPos(body_);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const ImGuiWindowFlags bar = m_.wide ? ImGuiWindowFlags_HorizontalScrollbar : 0;
    ImGui::BeginChild(id, body_size_, false,
                      bar | (m_.tall ? 0 : ImGuiWindowFlags_NoScrollWithMouse) | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    origin_ = ImGui::GetCursorScreenPos();
    const auto rows = real(g_.values.rows()), cols = real(g_.values.cols());
    ui::mouse_area("cells", {cols * m_.cell.x, rows * m_.cell.y});
    ImGui::SetItemAllowOverlap();
    read_pointer();
    find_visible();
    reveal();
    for (Index i = result_.row0; i < result_.row1; ++i)
      for (Index j = result_.col0; j < result_.col1; ++j) draw_cell(i, j);
    draw_outlines();
    if (g_.draft && g_.marked) type_into(*g_.marked);
    ImGui::EndChild();
    draw_headers();
    return result_;
  }

 private:
  ImVec2 corner(Index row, Index col) const {
    return {origin_.x + real(col) * m_.cell.x, origin_.y + real(row) * m_.cell.y};
  }

  void read_pointer() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    result_.held = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (!ImGui::IsItemHovered()) return;
    const auto along = [](float offset, float step, Index count) {
      return std::clamp<Index>(static_cast<Index>(std::floor(offset / step)), 0, count - 1);
    };
    result_.hovered = GridCell{along(mouse.y - origin_.y, m_.cell.y, g_.values.rows()),
                               along(mouse.x - origin_.x, m_.cell.x, g_.values.cols())};
    result_.pressed = ui::clicked();
    result_.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    result_.right_clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  }

  void find_visible() {
    const Box seen = canvas_.visible();
    const ImVec2 low = seen.pos, high = seen.end();
    view_end_ = high;
    const auto range = [](float from, float to, float step, Index count, Index& first, Index& last) {
      first = std::clamp<Index>(static_cast<Index>(std::floor(from / step)), 0, count);
      last = std::clamp<Index>(static_cast<Index>(std::ceil(to / step)), first, count);
    };
    range(low.y - origin_.y, high.y - origin_.y, m_.cell.y, g_.values.rows(), result_.row0, result_.row1);
    range(low.x - origin_.x, high.x - origin_.x, m_.cell.x, g_.values.cols(), result_.col0, result_.col1);
  }

  void reveal() {
    if (!g_.reveal) return;
    // A step beyond the edge scrolls by a step; what is farther away comes to the middle.
    const auto scroll_to = [](float place, float step, float scroll, float view) {
      if (place >= scroll && place + step <= scroll + view) return scroll;
      if (place >= scroll - step && place + step <= scroll + view + step)
        return place < scroll ? place : place + step - view;
      return place + 0.5f * (step - view);
    };
    const float bar = ImGui::GetStyle().ScrollbarSize;
    const float x = real(g_.reveal->col) * m_.cell.x, y = real(g_.reveal->row) * m_.cell.y;
    const float view_x = body_size_.x - (m_.tall ? bar : 0);
    const float view_y = body_size_.y - (m_.wide ? bar : 0);
    ImGui::SetScrollX(scroll_to(x, m_.cell.x, ImGui::GetScrollX(), view_x));
    ImGui::SetScrollY(scroll_to(y, m_.cell.y, ImGui::GetScrollY(), view_y));
  }

  void draw_cell(Index row, Index col) {
    if (g_.unread && g_.unread(row, col)) return draw_unread(row, col);
    const float value = g_.values(row, col);
    const bool finite = std::isfinite(value);
    const ImVec2 a = corner(row, col), b{a.x + m_.cell.x - 1, a.y + m_.cell.y - 1};
    const Rgb color = g_.scale.color(value);
    canvas_.fill(a, b, finite ? to_u32(color) : g_.theme->raised);
    if (finite && g_.scale.is_beyond(value)) draw_beyond(canvas_, a, b, ink_on(color));
    if (g_.ghost && g_.ghost->cell == GridCell{row, col} && g_.ghost->before != value)
      draw_ghost(a, b, g_.ghost->before);
    if (g_.change) draw_change(a, b, g_.change(row, col));
    const std::string text = cell_text(value, g_.scale);
    const float width = text_width(g_.numbers, text), y = a.y + 0.5f * (m_.cell.y - 1 - g_.numbers->FontSize);
    const ImU32 ink = value == 0          ? zero_ink_on(color)
                      : finite            ? ink_on(color)
                      : std::isnan(value) ? g_.theme->error
                                          : g_.theme->ink_faint;
    const ImVec2 at{b.x - width - 0.75f * g_.unit, y};
    if (finite && g_.scale.is_beyond(value))  // the hatch would cross it
      canvas_.fill({at.x - 1, y}, {at.x + width + 1, y + g_.numbers->FontSize}, to_u32(color));
    canvas_.text_at(g_.numbers, at, ink, text);
    note_cell(row, col, a, b);
  }

  void note_cell(Index row, Index col, ImVec2 a, ImVec2 b) const {
    if (!ui::probe_recorder()) return;
    ui::probe({g_.probe_prefix, "/", row, ",", col}, a, b);
  }

  // The lines run on from cell to cell.
  void draw_unread(Index row, Index col) {
    const ImVec2 a = corner(row, col), b{a.x + m_.cell.x - 1, a.y + m_.cell.y - 1};
    const float step = 1.5f * g_.unit;
    canvas_.push_clip(a, b);
    for (float k = std::ceil((a.x + a.y) / step) * step; k < b.x + b.y; k += step)
      canvas_.line({k - a.y, a.y}, {k - b.y, b.y}, with_alpha(g_.theme->ink, 0.22f));
    canvas_.pop_clip();
    note_cell(row, col, a, b);
  }

  // The colour before, as a corner of the cell.
  void draw_ghost(ImVec2 a, ImVec2 b, float before) {
    const float side = 0.6f * (b.y - a.y);
    canvas_.triangle(a, {a.x + side, a.y}, {a.x, a.y + side}, to_u32(g_.scale.color(before)));
    canvas_.line({a.x + side, a.y}, {a.x, a.y + side}, with_alpha(g_.theme->ink, 0.6f));
  }

  // As in shaders/heatmap_full.frag.
  void draw_change(ImVec2 a, ImVec2 b, float share) {
    const float thick = 0.15f * std::min(b.x - a.x, b.y - a.y) * share, in = 0.5f * thick;
    if (thick < 0.25f) return;
    const ImU32 color = with_alpha(g_.theme->change, std::min(1.0f, thick));
    canvas_.frame({a.x + in, a.y + in}, {b.x - in, b.y - in}, color, std::max(1.0f, thick));
  }

  void draw_outlines() {
    for (const GridOutline& o : g_.outlines) {
      const ImVec2 a = corner(o.row0, o.col0), b = corner(o.row1, o.col1);
      if (o.dashed) {
        draw_dashed_rect(canvas_, a, {b.x - 1, b.y - 1}, g_.unit);
        continue;
      }
      canvas_.frame(a, {b.x - 1, b.y - 1}, with_alpha(g_.theme->ground, 0.8f), o.thickness + 2);
      canvas_.frame(a, {b.x - 1, b.y - 1}, o.color, o.thickness);
    }
  }

  void type_into(GridCell cell) {
    const ImVec2 a = corner(cell.row, cell.col);
    const float width = std::max(m_.cell.x, 7 * g_.numbers->FontSize);
    const float right = origin_.x + real(g_.values.cols()) * m_.cell.x;
    ImGui::SetCursorScreenPos({std::max(origin_.x, std::min(a.x, right - width)), a.y - 1});
    ImGui::PushFont(g_.numbers);
    const float pad = 0.5f * (m_.cell.y + 1 - g_.numbers->FontSize);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {g_.unit, pad});
    ImGui::SetNextItemWidth(width);
    if (g_.start_typing) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##typed", g_.draft, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui::probe({g_.probe_prefix, "/typed"});
    const bool left = ImGui::IsItemDeactivated() && !ImGui::IsItemActive();
    if (ui::key_pressed(key::escape))
      result_.typing = GridResult::Typing::dropped;
    else if (entered || left)
      result_.typing = GridResult::Typing::submitted;
    ImGui::PopStyleVar();
    ImGui::PopFont();
  }

  void draw_headers() const {
    const Theme& theme = *g_.theme;
    const float font = g_.labels->FontSize;
    canvas_.push_clip({body_.x - m_.row_header, body_.y}, {body_.x, view_end_.y});
    for (Index i = result_.row0; i < result_.row1; ++i) {
      const std::string label = clipped(g_.labels, g_.row_label(i), m_.row_header - 1.5f * g_.unit);
      const ImVec2 pos{body_.x - 1.5f * g_.unit - text_width(g_.labels, label),
                       corner(i, 0).y + 0.5f * (m_.cell.y - 1 - font)};
      canvas_.text_at(g_.labels, pos, is_marked(i, -1) ? theme.ink : theme.ink_soft, label);
      draw_marks(canvas_, g_.row_marks, static_cast<int>(i), {pos.x, pos.y + font}, text_width(g_.labels, label), font,
                 theme.ink);
    }
    canvas_.pop_clip();
    // Turned words lean to the right over the edge of their column.
    const float lean = g_.words_above ? m_.col_header : 0;
    canvas_.push_clip({body_.x - 1, body_.y - m_.col_header}, {view_end_.x + lean, body_.y});
    for (Index j = result_.col0; j < result_.col1; ++j) {
      const ImU32 ink = is_marked(-1, j) ? theme.ink : theme.ink_soft;
      const float x = corner(0, j).x + 0.5f * (m_.cell.x - 1);
      if (g_.words_above) {
        const std::string label = clipped(g_.labels, g_.col_label(j), (m_.col_header - font) / 0.82f + 1);
        const ImVec2 pos{x + 0.3f * font, body_.y - 1};
        canvas_.text_turned(g_.labels, font, pos, kTurn, ink, label);
        draw_marks(canvas_, g_.col_marks, static_cast<int>(j), pos, text_width(g_.labels, label), font, theme.ink,
                   kTurn);
      } else {
        const std::string label = g_.col_label(j);
        canvas_.text_at(g_.labels, {x - 0.5f * text_width(g_.labels, label), body_.y - font - 0.5f * g_.unit}, ink,
                        label);
      }
    }
    canvas_.pop_clip();
  }

  bool is_marked(Index row, Index col) const { return g_.marked && (g_.marked->row == row || g_.marked->col == col); }

  Canvas& canvas_;
  const MatrixGrid& g_;
  const Metrics& m_;
  ImVec2 body_, body_size_, origin_, view_end_;
  GridResult result_;
};

}  // namespace

int grid_decimals(const ValueScale& scale) {
  const float high = scale.end();
  if (!(high > 0)) return 2;
  const int magnitude = static_cast<int>(std::floor(std::log10(high) - 1e-6f));
  return magnitude >= 2 ? 0 : std::clamp(1 - magnitude, magnitude == 1 ? 1 : 2, 5);
}

GridSize grid_size(const MatrixGrid& grid) {
  const Metrics m = measure(grid);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float width = m.row_header + real(grid.values.cols()) * m.cell.x + (m.tall ? bar : 0);
  const float height = m.col_header + real(grid.values.rows()) * m.cell.y;
  return {{m.wide ? grid.room.x : width, (m.tall ? grid.room.y : height) + (m.wide ? bar : 0)}, !m.wide && !m.tall};
}

GridResult matrix_grid(Canvas& canvas, const char* id, const MatrixGrid& grid) {
  const ImVec2 pos = ImGui::GetCursorScreenPos(), size = grid_size(grid).size;
  const Metrics metrics = measure(grid);
  const GridResult result = GridFrame(canvas, grid, metrics, pos, size).run(id);
  ImGui::SetCursorScreenPos(pos);
  ImGui::Dummy(size);
  return result;
}

}  // namespace hydra

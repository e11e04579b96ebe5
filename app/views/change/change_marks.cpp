#include "app/views/change/change_marks.h"

#include "app/views/change/relative_change.h"
#include "app/views/frame/ui.h"

namespace hydra {

namespace {

// 0.1 % and less: 0; 100 % and more: 1.
float strength(double relative) {
  if (!(relative > 1e-3)) return 0;
  return std::min(1.0f, real(std::log10(relative * 1000) / 3));
}

// Not over the state before, which is looked at for its own colours.
void add_marks(Frame& frame, const MatrixChange& change, Heatmap heatmap, bool transposed) {
  if (frame.changes.peeking() || change.outstanding >= change.largest) return;
  heatmap.matrix = transposed ? frame.derived.transposed(change.size) : change.size;
  heatmap.hidden = heatmap.strongest = heatmap.strongest_hidden = nullptr;
  heatmap.scale = {heatmap.scale.map, change.outstanding, change.largest};
  heatmap.mark = frame.theme.change;
  const bool all = heatmap.rows == heatmap.matrix->rows() && heatmap.cols == heatmap.matrix->cols();
  if (all && !use_strongest(frame.derived, heatmap)) return;  // they come in a later frame
  frame.canvas.cells(heatmap);
}

}  // namespace

std::string relative_change(double relative) {
  if (std::isinf(relative)) return wording("change:from_zero");
  if (relative == 0) return wording("change:mask");  // only what is finite has changed
  if (relative < 1e-4) return "< 0.01 %";
  const double value = 100 * relative;
  return (value < 1000 || value >= 1e5 ? ui::number(value, As::rough) : ui::number(std::round(value), As::count)) +
         " %";
}

std::string change_text(const Frame& frame, const Site& ref) {
  const MatrixChange& change = frame.changes.of(frame.view, ref);
  return change.size ? spelled(frame, "Δ ") + relative_change(change.relative) : "";
}

std::string range_before(const Frame& frame, const Site& ref) {
  if (!frame.changes.marked()) return "";
  const Source before = *frame.changes.before_source();
  if (!exists(before.trace, ref)) return "";
  const std::string was = range_text(scale_of(before, frame.view, ref));
  return was == range_text(scale_for(frame, ref)) ? "" : wording("change:was", {{"range", was}});
}

std::optional<float> value_before(const Frame& frame, const Cell& cell) {
  if (!frame.changes.of(frame.view, cell.site).size) return std::nullopt;
  if (frame.now.stamp() == frame.changes.before_source()->stamp()) return std::nullopt;  // it is what is shown
  const auto value = [&](const Source& source, const Cell& at) {
    const Backing b = picture_of(source, frame.view, at.site);
    return (*b.matrix)(b.row0 + at.row, b.col0 + at.col);
  };
  const float before = value(*frame.changes.before_source(), frame.changes.before_cell(cell)),
              now = value(*frame.changes.now_source(), cell);
  return before == now ? std::nullopt : std::optional(before);
}

namespace {

void draw_marks(Frame& frame, const MatrixChange& change, const Heatmap& heatmap, bool transposed) {
  frame.changes.note_drawn();
  // Within a unit around the picture, where nothing else stands.
  const float s = strength(change.relative);
  const float thickness = std::min(std::round((0.3f + 0.45f * s) * frame.unit), std::max(1.0f, frame.unit - 2));
  const float out = 0.5f * thickness + 1;  // around the outermost cells
  frame.canvas.frame({heatmap.min.x - out, heatmap.min.y - out}, {heatmap.max.x + out, heatmap.max.y + out},
                     with_alpha(frame.theme.change, static_cast<unsigned>(130 + 125 * s)), thickness);
  Heatmap whole = heatmap;
  whole.row0 = whole.col0 = 0;
  add_marks(frame, change, whole, transposed);
}

// The words in their own ground, from the upper right corner.
void draw_badge(const Frame& frame, const std::string& name, const std::string& text, ImVec2 corner) {
  ImFont* font = frame.fonts.small;
  const float pad = 0.75f * frame.unit;
  const ImVec2 low{std::round(corner.x - text_width(font, text) - 2 * pad), std::round(corner.y)};
  const ImVec2 high{corner.x, low.y + font->FontSize + 0.5f * pad};
  frame.canvas.fill(low, high, frame.theme.change);
  frame.canvas.text_at(font, {low.x + pad, low.y + 0.25f * pad}, ink_on(rgb_of(frame.theme.change)), text);
  ui::probe({name, "/change"}, low, high);
}

ImVec2 in_line(const Frame& frame, ImVec2 right, ImFont* line) {
  return {right.x, right.y + 0.5f * (line->FontSize - frame.fonts.small->FontSize) - 0.2f * frame.unit};
}

}  // namespace

void draw_change(Frame& frame, const Site& ref, const Heatmap& heatmap, bool transposed) {
  const MatrixChange& change = frame.changes.of(frame.view, ref);
  if (change.size) draw_marks(frame, change, heatmap, transposed);
}

void draw_change(Frame& frame, const std::string& name, const MatrixChange& change, const Heatmap& heatmap) {
  if (!change.size) return;
  draw_marks(frame, change, heatmap, false);
  ui::probe({name, "/changed"}, heatmap.min, heatmap.max);
}

void draw_change_number(Frame& frame, const std::string& name, const MatrixChange& change, ImVec2 right, ImFont* line) {
  if (!change.size) return;
  const std::string text =
      frame.changes.peeking() ? wording("change:before") : spelled(frame, "Δ ") + relative_change(change.relative);
  draw_badge(frame, name, text, in_line(frame, right, line));
}

float change_badge_width(const Frame& frame, const Site& ref) {
  const std::string text = change_text(frame, ref);
  return text.empty() ? 0 : text_width(frame.fonts.small, text) + 3.5f * frame.unit;
}

float put_change_badge(Frame& frame, const char* name, const Site& ref, ImVec2 right, ImFont* line) {
  const float width = change_badge_width(frame, ref);
  if (width > 0) frame.changes.put_badge(name, in_line(frame, right, line));
  return width;
}

void draw_changed_cells(Frame& frame, const Site& ref, const Heatmap& heatmap) {
  const MatrixChange& change = frame.changes.of(frame.view, ref);
  if (change.size) add_marks(frame, change, heatmap, false);
}

void draw_change_badge(Frame& frame, const std::string& name, const Site& ref) {
  const ImVec2* put = frame.changes.badge_of(name);
  if (!put) return;
  const std::string text = change_text(frame, ref);
  if (!text.empty()) draw_badge(frame, name, frame.changes.peeking() ? wording("change:before") : text, *put);
}

}  // namespace hydra

#include "app/widgets/matrix/heatmap.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/widgets/matrix/zero_ink.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

ImVec2 size_of(const Heatmap& heatmap) { return {heatmap.max.x - heatmap.min.x, heatmap.max.y - heatmap.min.y}; }

ImVec2 cell_size(const Heatmap& heatmap) {
  const ImVec2 size = size_of(heatmap);
  return {size.x / real(heatmap.cols), size.y / real(heatmap.rows)};
}

float whole(float cell) { return cell >= 1 ? std::floor(cell) : cell; }

Index cell_at(float offset, float cell, Index count) {
  return std::clamp<Index>(static_cast<Index>(std::floor(offset / cell)), 0, count - 1);
}

// The rows and columns that are seen.
struct Span {
  Index row0, row1, col0, col1;
};
Span visible_cells(const Canvas& canvas, const Heatmap& heatmap) {
  const Box seen = canvas.visible();
  const ImVec2 cell = cell_size(heatmap), low = seen.pos, high = seen.end();
  if (high.x <= heatmap.min.x || high.y <= heatmap.min.y || low.x >= heatmap.max.x || low.y >= heatmap.max.y)
    return {0, 0, 0, 0};
  return {
      cell_at(low.y - heatmap.min.y, cell.y, heatmap.rows), cell_at(high.y - heatmap.min.y, cell.y, heatmap.rows) + 1,
      cell_at(low.x - heatmap.min.x, cell.x, heatmap.cols), cell_at(high.x - heatmap.min.x, cell.x, heatmap.cols) + 1};
}

constexpr int kDigits = 2;  // of a scale's largest value

// As many decimals as give the scale's largest value so many digits: every cell of a heatmap has the same.
int decimals_for(const ValueScale& scale, int digits) {
  const double top = scale.end();
  if (!(top > 0) || std::isinf(top)) return digits;
  return std::clamp(digits - static_cast<int>(std::ceil(std::log10(top) - 1e-6)), 0, 6);
}

// Of a heatmap: none where all its numbers are whole.
int decimals_of(const Heatmap& heatmap, int digits) {
  for (Index row = 0; row < heatmap.rows; ++row)
    for (Index col = 0; col < heatmap.cols; ++col) {
      const float value = (*heatmap.matrix)(heatmap.row0 + row, heatmap.col0 + col);
      if (std::isfinite(value) && value != std::round(value)) return decimals_for(heatmap.scale, digits);
    }
  return 0;
}

ImVec2 text_size(ImFont* font, const std::string& text) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str(), text.c_str() + text.size());
}

void add_text(Canvas& canvas, ImFont* font, ImVec2 pos, ImU32 color, const std::string& text) {
  canvas.text_at(font, {std::round(pos.x), std::round(pos.y)}, color, text);
}

// The legend's copies of the marks that shaders/heatmap.frag makes.
void draw_masked_mark(Canvas& canvas, ImVec2 at, float side, ImU32 text) {
  canvas.push_clip(at, ImVec2(at.x + side, at.y + side));
  for (float k = 3; k < 2 * side; k += 6)
    canvas.line(ImVec2(at.x + k, at.y), ImVec2(at.x, at.y + k), with_alpha(text, 110));
  canvas.pop_clip();
  canvas.frame(at, ImVec2(at.x + side, at.y + side), with_alpha(text, 70));
}

void draw_non_finite_mark(Canvas& canvas, ImVec2 at, float side, ImU32) {
  const ImU32 color = IM_COL32(217, 51, 140, 255);
  const float inset = side * 0.2f;
  canvas.fill(at, ImVec2(at.x + side, at.y + side), with_alpha(color, 64));
  canvas.line(ImVec2(at.x + inset, at.y + inset), ImVec2(at.x + side - inset, at.y + side - inset), color, 1.5f);
  canvas.line(ImVec2(at.x + inset, at.y + side - inset), ImVec2(at.x + side - inset, at.y + inset), color, 1.5f);
}

// With a tick at zero where the scale has both signs.
void draw_bar(Canvas& canvas, const ValueScale& scale, ImVec2 min, ImVec2 max, ImU32 text) {
  constexpr int kPieces = 64;
  const auto edge = [&](int k) { return std::round(min.x + (max.x - min.x) * real(k) / kPieces); };
  for (int k = 0; k < kPieces; ++k)
    canvas.fill(ImVec2(edge(k), min.y), ImVec2(edge(k + 1), max.y),
                to_u32(color_at(scale.map, (real(k) + 0.5f) / kPieces)));
  canvas.frame(min, max, with_alpha(text, 70));
  if (scale.low >= 0 || scale.high <= 0) return;
  const float zero = std::round(min.x + (max.x - min.x) * scale.t(0));
  canvas.fill(ImVec2(zero, max.y), ImVec2(zero + 1, max.y + 3), text);
}

}  // namespace

ImVec2 cell_min(const Heatmap& heatmap, Index row, Index col) {
  const ImVec2 cell = cell_size(heatmap);
  return {heatmap.min.x + real(col) * cell.x, heatmap.min.y + real(row) * cell.y};
}

ImVec2 cell_max(const Heatmap& heatmap, Index row, Index col) { return cell_min(heatmap, row + 1, col + 1); }

void fit_heatmap(Heatmap& heatmap, ImVec2 available, bool square_cells) {
  const auto rows = real(heatmap.rows), cols = real(heatmap.cols);
  ImVec2 cell(std::max(available.x, 1.0f) / cols, std::max(available.y, 1.0f) / rows);
  if (square_cells) cell.x = cell.y = std::min(cell.x, cell.y);
  heatmap.min = ImVec2(std::round(heatmap.min.x), std::round(heatmap.min.y));
  heatmap.max = ImVec2(heatmap.min.x + whole(cell.x) * cols, heatmap.min.y + whole(cell.y) * rows);
}

namespace {

void say_in(Canvas& canvas, const Heatmap& heatmap, const std::string& text) {
  ImFont* font = ImGui::GetFont();
  const ImVec2 size = size_of(heatmap), words = text_size(font, text);
  if (words.x > size.x || words.y > size.y) return;
  add_text(canvas, font, {heatmap.min.x + (size.x - words.x) / 2, heatmap.min.y + (size.y - words.y) / 2},
           ImGui::GetColorU32(ImGuiCol_TextDisabled), text);
}

void add_to(Canvas& canvas, const Heatmap& heatmap) {
  if (canvas.shows_all()) return canvas.cells(heatmap);
  const Array<float>& drawn = heatmap.strongest ? heatmap.strongest : heatmap.matrix;
  const bool on_its_way = !drawn || (heatmap.strongest && heatmap.hidden && !heatmap.strongest_hidden);
  if (on_its_way) return say_in(canvas, heatmap, "…");
  canvas.cells(heatmap);
  if (canvas.lacks_memory(drawn)) say_in(canvas, heatmap, wording("widgets:no_memory"));
}

}  // namespace

CellHit draw_heatmap(Canvas& canvas, const char* id, const Heatmap& heatmap, std::string_view words) {
  const ImVec2 size = size_of(heatmap), cell = cell_size(heatmap);
  ImGui::SetCursorScreenPos(heatmap.min);
  ImGui::InvisibleButton(id, ImVec2(std::max(size.x, 1.0f), std::max(size.y, 1.0f)));
  if (ui::is_framed())
    ui::name_if_framed(wording("widgets:numbers",
                               {{"picture", std::string(words)}, {"rows", heatmap.rows}, {"columns", heatmap.cols}}));
  add_to(canvas, heatmap);
  CellHit hit;
  hit.chosen = ui::is_chosen_by_key();
  hit.held = ImGui::IsItemActive();
  if (ui::keys_choose() || !ImGui::IsItemHovered()) return hit;
  hit.pressed = ImGui::IsItemActivated();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  hit.hovered = true;
  hit.row = cell_at(mouse.y - heatmap.min.y, cell.y, heatmap.rows);
  hit.col = cell_at(mouse.x - heatmap.min.x, cell.x, heatmap.cols);
  hit.clicked = ui::clicked();
  hit.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  return hit;
}

void draw_cell_grid(Canvas& canvas, const Heatmap& heatmap, ImU32 color) {
  const ImVec2 cell = cell_size(heatmap);
  if (std::min(cell.x, cell.y) < 6) return;
  const Span span = visible_cells(canvas, heatmap);
  for (Index row = std::max<Index>(1, span.row0); row < span.row1; ++row) {
    const float y = cell_min(heatmap, row, 0).y;
    canvas.fill(ImVec2(heatmap.min.x, y), ImVec2(heatmap.max.x, y + 1), color);
  }
  for (Index col = std::max<Index>(1, span.col0); col < span.col1; ++col) {
    const float x = cell_min(heatmap, 0, col).x;
    canvas.fill(ImVec2(x, heatmap.min.y), ImVec2(x + 1, heatmap.max.y), color);
  }
}

bool values_fit(const Heatmap& heatmap, ImFont* font) {
  const ImVec2 cell = cell_size(heatmap);
  const double widest = heatmap.scale.low < 0 ? -heatmap.scale.end() : heatmap.scale.end();
  const auto fits = [&](int decimals) {
    const ImVec2 text = text_size(font, ui::in_column(widest, decimals));
    return text.x + 4 <= cell.x && text.y + 2 <= cell.y;
  };
  return fits(0) && fits(decimals_of(heatmap, kDigits));
}

namespace {
// Where it fits a decimal of what has none: or small numbers beside large ones are 0 and 1, and sums cannot be
// followed.
int decimals_in(const Heatmap& heatmap, ImFont* font) {
  const int decimals = decimals_of(heatmap, kDigits);
  if (decimals > 0) return decimals;
  const int more = decimals_of(heatmap, kDigits + 1);
  const double widest = heatmap.scale.low < 0 ? -heatmap.scale.end() : heatmap.scale.end();
  return text_size(font, ui::in_column(widest, more)).x + 4 <= cell_size(heatmap).x ? more : decimals;
}

}  // namespace

void draw_cell_values(Canvas& canvas, const Heatmap& heatmap, ImFont* font) {
  const Span span = visible_cells(canvas, heatmap);
  const ImVec2 cell = cell_size(heatmap);
  const int decimals = decimals_in(heatmap, font);
  for (Index row = span.row0; row < span.row1; ++row)
    for (Index col = span.col0; col < span.col1; ++col) {
      const float value = heatmap.value(row, col);
      if (!std::isfinite(value)) continue;  // the picture marks it
      const std::string text = ui::in_column(value, decimals);
      const ImVec2 size = text_size(font, text), corner = cell_min(heatmap, row, col);
      if (size.x > cell.x) continue;  // beyond the scale
      const ImVec2 low{std::round(corner.x + (cell.x - size.x) / 2), std::round(corner.y + (cell.y - size.y) / 2)};
      if (heatmap.scale.is_beyond(value))  // the hatch would cross it
        canvas.fill({low.x - 1, low.y}, {low.x + size.x + 1, low.y + size.y}, to_u32(heatmap.scale.color(value)));
      const Rgb ground = heatmap.scale.color(value);
      add_text(canvas, font, low, value == 0 ? zero_ink_on(ground) : ink_on(ground), text);
    }
}

namespace {
// At least 3 pixels, whole ones.
void widen(float& a, float& b) {
  const float missing = 3 - (b - a);
  if (missing > 0) a -= missing / 2, b += missing / 2;
  a = std::floor(a);
  b = std::ceil(b);
}
}  // namespace

void draw_cell_outline(Canvas& canvas, const Heatmap& heatmap, Index row0, Index row1, Index col0, Index col1,
                       ImU32 color, float thickness) {
  ImVec2 low = cell_min(heatmap, row0, col0), high = cell_min(heatmap, row1, col1);
  widen(low.x, high.x);
  widen(low.y, high.y);
  // A casing of the opposite lightness, so that the line shows on every cell colour.
  const ImU32 casing = with_alpha(ink_on(rgb_of(color)), (color >> IM_COL32_A_SHIFT) / 2);
  const float half = thickness / 2;  // outside: a thin column would be hidden by its own frame
  canvas.frame(ImVec2(low.x - thickness - 1, low.y - thickness - 1),
               ImVec2(high.x + thickness + 1, high.y + thickness + 1), casing, 1);
  canvas.frame(ImVec2(low.x - half, low.y - half), ImVec2(high.x + half, high.y + half), color, thickness);
}

void draw_dashed_outline(Canvas& canvas, const Heatmap& heatmap, Index row0, Index row1, Index col0, Index col1,
                         float unit) {
  ImVec2 low = cell_min(heatmap, row0, col0), high = cell_min(heatmap, row1, col1);
  widen(low.x, high.x);
  widen(low.y, high.y);
  draw_dashed_rect(canvas, low, high, unit);
}

void draw_dashed_rect(Canvas& canvas, ImVec2 low, ImVec2 high, float unit) {
  const float thick = std::max(1.0f, std::round(0.375f * unit)), dash = std::round(1.25f * unit);
  const float half = std::floor(thick / 2);
  const auto side = [&](float from, float to, const auto& rect) {
    rect(from, to, IM_COL32_WHITE);
    for (float a = from; a < to; a += 2 * dash) rect(a, std::min(a + dash, to), IM_COL32_BLACK);
  };
  for (const float y : {low.y - half, high.y - thick + half})
    side(low.x - half, high.x + half, [&](float a, float b, ImU32 color) {
      canvas.fill({a, y}, {b, y + thick}, color);
    });
  for (const float x : {low.x - half, high.x - thick + half})
    side(low.y - half, high.y + half, [&](float a, float b, ImU32 color) {
      canvas.fill({x, a}, {x + thick, b}, color);
    });
}

void draw_beyond(Canvas& canvas, ImVec2 low, ImVec2 high, ImU32 ink) {
  constexpr float kStep = 4;
  canvas.push_clip(low, high);
  for (float k = std::ceil((low.x - high.y) / kStep) * kStep; k < high.x - low.y; k += kStep)
    canvas.line({k + low.y, low.y}, {k + high.y, high.y}, with_alpha(ink, 140));
  canvas.pop_clip();
}

void legend(Canvas& canvas, const ValueScale& scale, ImVec2 pos, float width, ImFont* font, ImU32 text,
            const LegendOptions& options) {
  const float size = font->FontSize, gap = std::round(size * 0.5f);
  const std::string low = ui::number(scale.low, As::axis), high = ui::number(scale.high, As::axis);
  const auto room = [&](const std::string& words) { return text_size(font, words).x + gap; };
  float x = pos.x;
  const auto say = [&](const std::string& words) {
    add_text(canvas, font, ImVec2(x, pos.y), text, words);
    x += room(words);
  };
  if (*options.caption) say(options.caption);
  say(low);
  const std::string masked = options.masked_label ? options.masked_label : wording("widgets:masked");
  // The bar takes what the upper number and the marks leave.
  float after = room(high) + (options.remark.empty() ? 0 : room(options.remark));
  const std::string most = ui::number(scale.most, As::axis);
  const std::string to = scale.most > 0 ? wording("widgets:beyond.brief", {{"most", most}}) : "";
  std::string beyond = scale.most > 0 ? wording("widgets:beyond", {{"most", most}}) : "";
  if (x + after + gap + size + room(beyond) + 6 * size > pos.x + width) beyond = to;
  if (!beyond.empty()) after += gap + size + gap / 2 + room(beyond);
  for (const auto& [asked, words] :
       {std::pair(options.masked, masked), {options.non_finite, wording("widgets:not_finite")}})
    if (asked) after += gap + size + gap / 2 + room(words);
  const float top = std::round(pos.y + size * 0.2f), bottom = top + std::round(size * 0.7f);
  const float bar_end = std::max(x + 2 * size, pos.x + width - after);
  draw_bar(canvas, scale, ImVec2(std::round(x), top), ImVec2(std::round(bar_end), bottom), text);
  x = bar_end + gap;
  say(high);
  if (!options.remark.empty()) {
    add_text(canvas, font, ImVec2(x, pos.y), options.remark_color, options.remark);
    x += room(options.remark);
  }
  const auto mark = [&](bool asked, const std::string& words, auto draw) {
    if (!asked) return;
    x += gap;
    draw(canvas, ImVec2(std::round(x), top), bottom - top, text);
    x += size + gap / 2;
    say(words);
  };
  mark(!beyond.empty(), beyond, [&](Canvas&, ImVec2 at, float side, ImU32) {
    const Rgb end = color_at(scale.map, 1);
    canvas.fill(at, {at.x + side, at.y + side}, to_u32(end));
    draw_beyond(canvas, at, {at.x + side, at.y + side}, ink_on(end));
  });
  mark(options.masked, masked, draw_masked_mark);
  mark(options.non_finite, wording("widgets:not_finite"), draw_non_finite_mark);
}

}  // namespace hydra

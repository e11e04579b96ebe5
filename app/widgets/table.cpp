#include "app/widgets/table.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

constexpr float kLine = 1.15f;  // of the title's lines

class TableDrawing {
 public:
  TableDrawing(Canvas& canvas, const Table& table, const Box& box) : canvas_(canvas), t_(table), box_(box) {
    for (const TableColumn& column : t_.columns) width_ = std::max(width_, column.right);
  }

  TableResult draw() {
    for (int k = 0; k < int_size(t_.columns); ++k) title(k);
    const float end = box_.pos.y + t_.header;
    canvas_.fill({box_.pos.x, end - 1}, {box_.pos.x + width_, end}, t_.theme->line);
    const float content = real(t_.rows) * t_.row, room = std::max(1.0f, box_.size.y - t_.header);
    ui::room(canvas_, t_.name.c_str(), {box_.pos.x, end}, {box_.size.x, room}, content > room + 0.5f,
             [&](ImVec2 corner) {
               rows(corner, end + room);
               if (t_.over) t_.over(corner, result_.below);
               return content;
             });
    return result_;
  }

 private:
  void title(int k) {
    const TableColumn& column = nth(t_.columns, k);
    const ImVec2 a{box_.pos.x + column.left, box_.pos.y}, b{box_.pos.x + column.right, box_.pos.y + t_.header};
    const bool sorted = t_.sorted == k, under = ui::under_pointer(a, b);
    const float line = kLine * t_.font->FontSize, lines = real(column.title.size());
    float y = t_.titles_on_top ? a.y : b.y - t_.unit - lines * line, wide = 0;
    for (int n = 0; n < int_size(column.title); ++n) {
      const std::string text = clipped(t_.font, nth(column.title, n), column.right - column.left);
      std::string seen = text;
      if (column.math) std::erase(seen, '_');
      const float width = text_width(t_.font, seen);
      const bool faint = n >= int_size(column.title) - column.faint;
      const bool strong = column.sorts && (under || sorted);
      wide = std::max(wide, width);
      const float left = column.kind == TableColumn::Kind::number ? b.x - t_.unit - width : a.x + t_.unit;
      const ImU32 ink = faint ? t_.theme->ink_faint : strong ? t_.theme->ink : t_.theme->ink_soft;
      if (column.math)
        canvas_.math_at(t_.font, t_.font, {left, y}, ink, text);
      else
        canvas_.text_at(t_.font, {left, y}, ink, text);
      y += line;
    }
    if (sorted)
      canvas_.fill({b.x - t_.unit - wide, b.y - 0.75f * t_.unit}, {b.x - t_.unit, b.y - 0.75f * t_.unit + 2},
                   t_.theme->accent);
    ui::probe({t_.name, "/column/", column.key}, a, b);
    if (!under) return;
    result_.column = k;
    result_.in_header = true;
    result_.clicked = ui::clicked();
  }

  void rows(ImVec2 corner, float foot) {
    const Box seen = canvas_.visible();
    for (Index k = 0; k < t_.rows; ++k) {
      const ImVec2 low{corner.x, corner.y + real(k) * t_.row}, high{low.x + width_, low.y + t_.row};
      if (t_.placed) t_.placed(k, low, high);
      result_.below += low.y + 0.5f * t_.row > foot ? 1 : 0;
      const bool in_sight = high.y >= seen.pos.y && low.y <= seen.bottom();
      if (in_sight || (t_.is_held && t_.is_held(k))) row(k, low, high);
    }
  }

  void row(Index k, ImVec2 low, ImVec2 high) {
    const bool marked = t_.marked == k, under = ui::under_pointer(low, high);
    if (marked)
      canvas_.fill(low, high, t_.marked_ground != 0 ? t_.marked_ground : t_.theme->accent_soft);
    else if (under && t_.points)
      canvas_.fill(low, high, t_.theme->raised);
    if (under) result_.row = k, result_.clicked = ui::clicked();
    cells_.clear();
    bool bars = false;  // then all numbers of the row stand as high as those over them
    for (int c = 0; c < int_size(t_.columns); ++c) {
      const bool drawn = nth(t_.columns, c).kind == TableColumn::Kind::drawn;
      cells_.push_back(drawn ? TableCell() : t_.cell(k, c));
      bars = bars || cells_.back().bar;
    }
    for (int c = 0; c < int_size(t_.columns); ++c) {
      const TableColumn& column = nth(t_.columns, c);
      const ImVec2 a{low.x + column.left, low.y}, b{low.x + column.right, high.y};
      if (column.kind == TableColumn::Kind::drawn)
        t_.drawn(k, c, a, b);
      else
        cell(nth(cells_, c), column, marked, bars, a, b);
      if (under && ui::under_pointer(a, b)) result_.column = c;
    }
  }

  void cell(const TableCell& cell, const TableColumn& column, bool marked, bool bars, ImVec2 a, ImVec2 b) {
    const bool words = column.kind == TableColumn::Kind::words;
    ImFont* font = !words ? t_.numbers : marked && t_.strong ? t_.strong : t_.words;
    const ImU32 ink = cell.ink != 0 ? cell.ink : t_.theme->ink;
    const float u = t_.unit, thick = std::max(2.0f, 0.625f * u), gap = 0.25f * u;
    const float high = font->FontSize + (bars && !words ? gap + thick : 0), y = a.y + 0.5f * (b.y - a.y - high);
    if (words)
      canvas_.text_at(font, {a.x + u, y}, ink, cell.text, b.x - a.x - u);
    else
      canvas_.text_up_to(font, {b.x - u, y}, ink, cell.text);
    if (cell.bar && std::isfinite(cell.bar->part)) bar(*cell.bar, a.x + u, b.x - u, y + font->FontSize + gap, thick);
  }

  void bar(const TableBar& bar, float left, float right, float y, float thick) {
    const float zero = bar.both ? 0.5f * (left + right) : left;
    const float length = real(std::clamp(bar.part, -1.0, 1.0)) * (right - zero);
    canvas_.fill({left, y + 0.5f * thick - 0.5f}, {right, y + 0.5f * thick + 0.5f}, t_.theme->line);
    canvas_.fill({std::min(zero, zero + length), y}, {std::max(zero, zero + length), y + thick}, bar.color);
    if (bar.mark) {
      const float at = std::round(zero + real(std::clamp(*bar.mark, -1.0, 1.0)) * (right - zero));
      canvas_.fill({at - 1, y - 0.25f * t_.unit}, {at + 1, y + thick + 0.75f * t_.unit}, t_.theme->ink);
    }
    if (bar.both) canvas_.fill({zero - 0.5f, y - 1}, {zero + 0.5f, y + thick + 1}, t_.theme->ink_soft);
  }

  Canvas& canvas_;
  const Table& t_;
  const Box& box_;
  float width_ = 0;
  std::vector<TableCell> cells_;  // of the row under way
  TableResult result_;
};

}  // namespace

TableResult draw_table(Canvas& canvas, const Table& table, const Box& box) {
  return TableDrawing(canvas, table, box).draw();
}

}  // namespace hydra

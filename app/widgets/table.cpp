#include "app/widgets/table.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

class TableDrawing {
 public:
  TableDrawing(Canvas& canvas, const Table& table, const Box& box)
      : canvas_(canvas), t_(table), box_(box), bands_(table.bands) {
    if (bands_.empty()) bands_.push_back({t_.frozen, int_size(t_.columns) - t_.frozen, 0, t_.header});
    for (const TableColumn& column : t_.columns) {
      width_ = std::max(width_, column.right);
      has_feet_ = has_feet_ || !column.foot.empty();
    }
    for (int k = 0; k < t_.frozen; ++k) frozen_ = std::max(frozen_, nth(t_.columns, k).right);
  }

  TableResult draw() {
    const TableBand& last = bands_.back();
    const float height = last.top + last.header + rows_height();
    scrolls_ = height > std::max(last.top + last.header + 1, box_.size.y) + 0.5f;
    const Scrolls scrolls = t_.sideways ? Scrolls::sideways : scrolls_ ? Scrolls::down : Scrolls::no;
    if (canvas_.begin_room(t_.name.c_str(), box_.pos, box_.size, scrolls)) {
      origin_ = ImGui::GetCursorScreenPos();
      window_ = ImGui::GetWindowPos();
      seen_ = canvas_.visible();
      hovered_ = ImGui::IsWindowHovered();
      if (t_.shown) bring_into_sight(*t_.shown);
      for (const TableBand& band : bands_) draw_band(band);
      ImGui::SetCursorScreenPos(origin_);
      ImGui::Dummy({t_.sideways ? width_ : 1, height});
    }
    canvas_.end_room();
    result_.clicked = (result_.in_header || result_.row >= 0) && ui::clicked();
    return result_;
  }

 private:
  float rows_height() const { return real(t_.rows) * t_.row; }
  bool is_frozen(int column) const { return column < t_.frozen; }
  // Of a band, those that are frozen last: they cover what is scrolled below them.
  template <class Task>
  void for_columns(const TableBand& band, bool frozen, const Task& task) const {
    const int from = frozen ? 0 : band.first, count = frozen ? t_.frozen : band.count;
    for (int k = from; k < from + count; ++k) task(k, nth(t_.columns, k));
  }
  float left_of(int column) const { return is_frozen(column) && t_.sideways ? window_.x : origin_.x; }
  // Of the scrolled columns alone.
  float cells_from() const { return (t_.sideways ? window_.x : origin_.x) + frozen_; }
  float right_of(const TableBand& band) const {
    float right = frozen_;
    for_columns(band, false, [&](int, const TableColumn& column) { right = std::max(right, column.right); });
    return std::min(seen_.right(), origin_.x + right);
  }

  void bring_into_sight(Index row) {
    const float top = real(row) * t_.row;
    const float room = seen_.bottom() - window_.y - bands_.front().header - t_.row, scroll = ImGui::GetScrollY();
    if (top < scroll || top > scroll + room) ImGui::SetScrollY(std::max(0.0f, top - 0.5f * room));
  }

  void draw_band(const TableBand& band) {
    // The header stays in sight for as long as a row under it is.
    const float natural = origin_.y + band.top, first = natural + band.header;
    const float top = scrolls_ ? std::clamp(window_.y, natural, natural + rows_height()) : natural;
    from_ = top + band.header;
    const float left = cells_from() - frozen_, right = right_of(band);
    {
      const Canvas::Clip below(canvas_, {left, from_}, seen_.end());
      rows(band, {left, first}, right);
      if (t_.over) t_.over({left, first}, result_.below);
    }
    {
      const Canvas::Clip beside(canvas_, {cells_from(), top}, seen_.end());
      for (const TableGroup& group : band.groups) group_title(group, top);
      for_columns(band, false, [&](int k, const TableColumn&) { title(k, top, band.header, true); });
    }
    const bool is_first = &band == &bands_.front();
    for_columns(band, true, [&](int k, const TableColumn&) { title(k, top, band.header, is_first); });
    canvas_.fill({left, from_ - 1}, {right, from_}, t_.theme->line);
  }

  // --- the header

  void group_title(const TableGroup& group, float top) {
    const float left = origin_.x + group.left, y = top + 1.05f * t_.font->FontSize;
    canvas_.line({left, y}, {origin_.x + group.right, y}, t_.theme->line);
    canvas_.text_at(t_.font, {left, top}, t_.theme->ink_faint, group.title);
  }

  // named: it has its probe. Those that are frozen stand over each band, and are named over the first.
  void title(int k, float top, float header, bool is_named) {
    const TableColumn& column = nth(t_.columns, k);
    const ImVec2 a{left_of(k) + column.left, top}, b{left_of(k) + column.right, top + header};
    const bool sorted = t_.sorted == k, under = is_under(a, b);
    const float high = t_.font->FontSize, line = t_.title_line * high, lines = real(column.title.size());
    const bool ends_at_right = column.kind == TableColumn::Kind::number || column.at_right;
    const float foot = b.y - t_.unit - (has_feet_ ? line : 0);
    float y = t_.titles_on_top ? a.y : foot - lines * line, wide = 0;
    for (int n = 0; n < int_size(column.title); ++n) {
      const std::string text = clipped(t_.font, nth(column.title, n), column.right - column.left);
      std::string seen = text;
      if (column.math) std::erase(seen, '_');
      const float width = text_width(t_.font, seen);
      const bool faint = n >= int_size(column.title) - column.faint;
      const bool strong = column.sorts && (under || sorted);
      wide = std::max(wide, width);
      const float left = ends_at_right ? b.x - t_.unit - width : a.x + t_.unit;
      const ImU32 ink = faint ? t_.theme->ink_faint : strong ? t_.theme->ink : t_.theme->ink_soft;
      if (column.math)
        canvas_.math_at(t_.font, t_.font, {left, y}, ink, text);
      else
        canvas_.text_at(t_.font, {left, y}, ink, text);
      y += line;
    }
    if (sorted) {
      const float left = ends_at_right ? b.x - t_.unit - wide : a.x + t_.unit;
      canvas_.fill({left, foot + 0.25f * t_.unit}, {left + wide, foot + 0.25f * t_.unit + 2}, t_.theme->accent);
    }
    const float foot_left = ends_at_right ? b.x - t_.unit - text_width(t_.font, column.foot) : a.x + t_.unit;
    canvas_.text_at(t_.font, {foot_left, b.y - t_.unit - high}, t_.theme->ink_faint, column.foot);
    if (is_named) ui::probe({t_.name, "/column/", column.key}, a, b);
    if (!under) return;
    result_.in_header = true;
    hit(k, a, b);
  }

  // --- the rows

  void rows(const TableBand& band, ImVec2 corner, float right) {
    for (Index k = 0; k < t_.rows; ++k) {
      const ImVec2 low{corner.x, corner.y + real(k) * t_.row}, high{right, low.y + t_.row};
      if (t_.placed) t_.placed(k, low, high);
      result_.below += low.y + 0.5f * t_.row > seen_.bottom() ? 1 : 0;
      const bool in_sight = high.y >= from_ && low.y <= seen_.bottom();
      if (in_sight || (t_.is_held && t_.is_held(k))) row(k, band, low, high);
    }
  }

  void row(Index k, const TableBand& band, ImVec2 low, ImVec2 high) {
    const bool marked = t_.marked == k, under = is_under(low, high);
    ground(marked, under && t_.points, low, high);
    if (under) result_.row = k;
    cells_.clear();
    bool bars = false;  // then all numbers of the row stand as high as those over them
    for (int c = 0; c < int_size(t_.columns); ++c) {
      const bool drawn = nth(t_.columns, c).kind == TableColumn::Kind::drawn;
      cells_.push_back(drawn || !is_of(band, c) ? TableCell() : t_.cell(k, c));
      bars = bars || cells_.back().bar;
    }
    const auto one = [&](int c, const TableColumn& column) {
      const ImVec2 a{left_of(c) + column.left, low.y}, b{left_of(c) + column.right, high.y};
      if (!is_frozen(c) && (a.x > seen_.right() || b.x < cells_from())) return;
      const std::string other = t_.other ? t_.other(k, c) : std::string();
      if (!other.empty()) mark_other(k, column, a, b);  // under the number
      if (column.kind == TableColumn::Kind::drawn)
        t_.drawn(k, c, a, b);
      else
        cell(nth(cells_, c), column, marked, bars, a, b);
      if (!under || !is_under(a, b)) return;
      hit(c, a, b);
      result_.other = other;
    };
    {
      const Canvas::Clip beside(canvas_, {cells_from(), from_}, seen_.end());
      for_columns(band, false, one);
    }
    if (t_.sideways) ground(marked, false, low, {cells_from(), high.y}, t_.theme->ground);
    for_columns(band, true, one);
    if (k > 0 && t_.begins && t_.begins(k)) canvas_.line(low, {high.x, low.y}, t_.theme->line);
  }

  // In the upper right corner.
  void mark_other(Index row, const TableColumn& column, ImVec2 a, ImVec2 b) {
    const float side = 1.5f * t_.unit;
    draw_changed_corner(canvas_, {b.x, a.y + 1}, side, t_.theme->change);
    ui::probe({t_.name, "/other/", row + 1, "/", column.key}, {b.x - side, a.y}, {b.x, a.y + side});
  }

  bool is_of(const TableBand& band, int column) const {
    return is_frozen(column) || (column >= band.first && column < band.first + band.count);
  }

  void ground(bool marked, bool pointed, ImVec2 low, ImVec2 high, ImU32 otherwise = 0) {
    if (otherwise != 0) canvas_.fill(low, high, otherwise);
    if (marked)
      canvas_.fill(low, high, t_.marked_ground != 0 ? t_.marked_ground : t_.theme->accent_soft);
    else if (pointed)
      canvas_.fill(low, high, t_.theme->raised);
  }

  void cell(const TableCell& cell, const TableColumn& column, bool marked, bool bars, ImVec2 a, ImVec2 b) {
    const bool words = column.kind == TableColumn::Kind::words;
    ImFont* font = !words ? t_.numbers : marked && t_.strong ? t_.strong : t_.words;
    const ImU32 ink = cell.ink != 0 ? cell.ink : t_.theme->ink;
    const float u = t_.unit, thick = t_.bar > 0 ? t_.bar : std::max(2.0f, 0.625f * u), gap = 0.25f * u;
    const float high = font->FontSize + (bars && !words ? gap + thick : 0), y = a.y + 0.5f * (b.y - a.y - high);
    if (words)
      canvas_.text_at(font, {a.x + u, y}, ink, cell.text, b.x - a.x - u);
    else
      canvas_.text_up_to(font, {b.x - u, y}, ink, cell.text);
    if (cell.bar && std::isfinite(cell.bar->part)) bar(*cell.bar, a.x + u, b.x - u, y + font->FontSize + gap, thick);
  }

  void bar(const TableBar& bar, float left, float right, float y, float thick) {
    const float zero = bar.both ? 0.5f * (left + right) : left;
    const auto place = [&](double part) { return zero + real(std::clamp(part, -1.0, 1.0)) * (right - zero); };
    const float length = place(bar.part) - zero;
    if (bar.chance > 0) {
      const float from = std::max(left, place(-bar.chance)), to = place(bar.chance);
      const float top = y - 0.5f * t_.unit, bottom = y + thick + 0.5f * t_.unit;
      canvas_.fill({from, top}, {to, bottom}, t_.theme->line);
      if (bar.chance <= 1)  // else it goes on beyond the column
        for (const float x : {from, to - 1}) canvas_.fill({x, top}, {x + 1, bottom}, t_.theme->ink_soft);
    }
    canvas_.fill({left, y + 0.5f * thick - 0.5f}, {right, y + 0.5f * thick + 0.5f}, t_.theme->line);
    canvas_.fill({std::min(zero, zero + length), y}, {std::max(zero, zero + length), y + thick}, bar.color);
    if (bar.mark) {
      const float at = std::round(zero + real(std::clamp(*bar.mark, -1.0, 1.0)) * (right - zero));
      canvas_.fill({at - 1, y - 0.25f * t_.unit}, {at + 1, y + thick + 0.75f * t_.unit}, t_.theme->ink);
    }
    if (bar.range && std::isfinite(bar.range->middle)) {
      const float at = y + thick + 0.5f * t_.unit, middle = std::round(place(bar.range->middle));
      if (std::isfinite(bar.range->low) && std::isfinite(bar.range->high))
        canvas_.fill({place(bar.range->low), at}, {place(bar.range->high), at + 1}, t_.theme->ink);
      canvas_.fill({middle - 1, at - 1}, {middle + 1, at + 2}, t_.theme->ink);
    }
    if (bar.both) canvas_.fill({zero - 0.5f, y - 1}, {zero + 0.5f, y + thick + 1}, t_.theme->ink_soft);
  }

  // --- the pointer

  bool is_under(ImVec2 a, ImVec2 b) const { return hovered_ && canvas_.over({a, {b.x - a.x, b.y - a.y}}); }
  void hit(int column, ImVec2 low, ImVec2 high) {
    result_.column = column;
    result_.low = low, result_.high = high;
  }

  Canvas& canvas_;
  const Table& t_;
  const Box& box_;
  std::vector<TableBand> bands_;
  float width_ = 0, frozen_ = 0;  // of all columns, of those that stay
  bool scrolls_ = false, hovered_ = false, has_feet_ = false;
  ImVec2 origin_, window_;        // of the content, scrolled; of the room
  Box seen_;                      // of the room
  float from_ = 0;                // where the rows of the band under way begin to be seen
  std::vector<TableCell> cells_;  // of the row under way
  TableResult result_;
};

}  // namespace

void draw_changed_corner(Canvas& canvas, ImVec2 at, float side, ImU32 color) {
  canvas.triangle({at.x - side, at.y}, at, {at.x, at.y + side}, color);
}

TableResult draw_table(Canvas& canvas, const Table& table, const Box& box) {
  return TableDrawing(canvas, table, box).draw();
}

}  // namespace hydra

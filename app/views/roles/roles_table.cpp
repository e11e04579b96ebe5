#include "app/views/roles/roles_parts.h"

#include <numeric>

#include "app/views/head_marks.h"
#include "app/views/roles/roles_layout.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

bool recording() { return ui::probe_recorder() != nullptr; }

class RoleTableView : Drawing {
 public:
  explicit RoleTableView(Frame& frame) : Drawing(frame), table_(*frame.roles.table), groups_(shown_role_groups(frame)) {
    sort_heads();
  }

  void draw(ImVec2 pos, ImVec2 size) {
    place(pos, size);
    using ui::Scrolls;
    const Scrolls scrolls = at_.sideways ? Scrolls::sideways : at_.scrolls ? Scrolls::down : Scrolls::no;
    if (ui::begin_room("roles/table", pos, size, scrolls)) {
      origin_ = ImGui::GetCursorScreenPos();
      window_ = ImGui::GetWindowPos();
      const ImVec2 clip = pen::list()->GetClipRectMax();
      right_ = clip.x;
      bottom_ = clip.y;
      hovered_ = ImGui::IsWindowHovered();
      for (const RolesBand& band : at_.bands) draw_band(band);
      ImGui::SetCursorScreenPos(origin_);
      const RolesBand& last = at_.bands.back();
      const float rows = real(order_.size()) * row_height();
      ImGui::Dummy({at_.label + (at_.sideways ? widest() : 0), last.top + last.header + rows});
    }
    ui::end_room();
  }

 private:
  float row_height() const { return at_.row; }
  // By the longest name over a column.
  float header_height(std::size_t lines) const { return std::round((2.4f + real(lines)) * small_ + 2 * u_); }
  static std::size_t name_lines(const ShownRoleGroup& group) {
    std::size_t lines = 1;
    for (const ShownRoleColumn& shown : group.columns) lines = std::max(lines, shown.lines.size());
    return lines;
  }
  std::size_t name_lines(const RolesBand& band) const {
    std::size_t lines = 1;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g)
      lines = std::max(lines, name_lines(nth(groups_, g)));
    return lines;
  }
  float widest() const {
    float width = 0;
    for (const RolesBand& band : at_.bands) width = std::max(width, band.width);
    return width;
  }

  void sort_heads() {
    order_.resize(table_.heads.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!view_.roles.sorted) return;
    const RoleColumn& column = nth(role_columns(), *view_.roles.sorted);
    const auto key = [&](int head) {
      const double value = value_of(column, nth(table_.heads, head));
      return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return key(a) > key(b); });
  }

  void place(ImVec2 pos, ImVec2 size) {
    auto in = room_for<RolesInput>(frame_, pos, size);
    in.heads = int_size(order_);
    for (const ShownRoleGroup& group : groups_) {
      in.groups.push_back(group.width);
      in.headers.push_back(header_height(name_lines(group)));
    }
    in.label = label_start() + widest(&HeadLabel::brief) + 2 * u_;
    in.longest = label_start() + std::max(widest(&HeadLabel::full), widest(&HeadLabel::wider)) + 3 * u_;
    in.row = std::round(1.75f * em_);
    in.tight_row = std::round(1.5f * em_);
    in.gap = 2.5f * u_;
    at_ = roles_layout(in);
    gap_ = in.gap;
  }

  float label_start() const { return 1.0f * em_ + text_width(fonts_.text, "96") + 2.5f * u_; }

  // --- a band: its header, its rows

  void draw_band(const RolesBand& band) {
    // The header stays in view for as long as a row under it is.
    const float natural = origin_.y + band.top, rows = real(order_.size()) * row_height();
    const float top = at_.scrolls ? std::clamp(window_.y, natural, natural + rows) : natural;
    const float first = natural + band.header, left = at_.sideways ? window_.x : origin_.x;
    const float cells = left + at_.label, lines = real(name_lines(band));
    draw_row_grounds(band, left, top + band.header, first);
    pen::list()->PushClipRect({cells, top + band.header}, {right_, bottom_}, true);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const float y = first + real(k) * row_height();
      if (y + row_height() < top + band.header || y > bottom_) continue;
      for_columns(band, [&](const ShownRoleColumn& shown, float x) { cell(shown, order_[k], {x, y}); });
    }
    pen::list()->PopClipRect();
    pen::list()->PushClipRect({left, top + band.header}, {right_, bottom_}, true);
    for (std::size_t k = 0; k < order_.size(); ++k)
      head(band, order_[k], {left, first + real(k) * row_height()}, top + band.header);
    if (!view_.roles.sorted && order_.size() == layer_of(frame_).heads.size())
      group_row_lines(
          frame_, "roles/group/" + (band.first_group > 0 ? ui::words("band ", band.first_group, "/") : std::string()),
          view_.layer, {left, first}, row_height());
    pen::list()->PopClipRect();
    pen::list()->PushClipRect({cells, top}, {right_, bottom_}, true);
    header(band, top);
    pen::list()->PopClipRect();
    text_at(fonts_.small, {left, top + (0.15f + lines) * small_}, theme_.ink_soft, "head");
    text_at(fonts_.small, {left, top + (1.25f + lines) * small_}, theme_.ink_faint, "rows");
    pen::line({left, top + band.header - 1}, {right_of(band), top + band.header - 1}, theme_.line);
  }

  float right_of(const RolesBand& band) const { return std::min(right_, origin_.x + at_.label + band.width); }

  template <class Task>
  void for_columns(const RolesBand& band, const Task& task) const {
    float x = origin_.x + at_.label + gap_;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g) {
      const ShownRoleGroup& group = nth(groups_, g);
      for (const ShownRoleColumn& shown : group.columns) task(shown, x + shown.x);
      x += group.width + gap_;
    }
  }

  void draw_row_grounds(const RolesBand& band, float left, float from, float first) {
    pen::list()->PushClipRect({left, from}, {right_, bottom_}, true);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const float y = first + real(k) * row_height();
      const ImVec2 a{left, y}, b{right_of(band), y + row_height()};
      const bool under = hovered_ && mouse.y >= std::max(a.y, from) && mouse.y < b.y && mouse.x >= a.x && mouse.x < b.x;
      if (order_[k] == view_.focused_head)
        pen::fill(a, b, theme_.accent_soft);
      else if (under)
        pen::fill(a, b, theme_.raised);
      if (under && ui::clicked()) focus_head(view_, order_[k]);
    }
    pen::list()->PopClipRect();
  }

  // As many words as there is room for behind every head.
  std::string HeadLabel::*shown_label() const {
    const float room = at_.label - label_start() - u_;
    for (std::string HeadLabel::*words : {&HeadLabel::full, &HeadLabel::wider})
      if (widest(words) <= room) return words;
    return &HeadLabel::brief;
  }

  float widest(std::string HeadLabel::*words) const {
    float width = 0;
    for (const HeadLabel& label : frame_.roles.labels)
      width = std::max(width, text_width(fonts_.text, say(label.*words)));
    return width;
  }

  void head(const RolesBand& band, int h, ImVec2 pos, float from) {
    if (pos.y + row_height() < from || pos.y > bottom_) return;
    const float side = std::round(0.7f * em_), y = pos.y + 0.5f * (row_height() - em_);
    const ImVec2 b{pos.x + at_.label, pos.y + row_height()};
    const ImU32 ground = h == view_.focused_head ? theme_.accent_soft : theme_.ground;
    if (at_.sideways) pen::fill(pos, b, theme_.ground), pen::fill(pos, b, ground);
    pen::fill({pos.x + u_, y + 0.15f * em_}, {pos.x + u_ + side, y + 0.15f * em_ + side}, head_color(frame_, h));
    text_at(fonts_.text, {pos.x + em_ + u_, y}, theme_.ink_soft, std::to_string(h + 1));
    if (const HeadLabel* label = label_of(frame_.roles, h)) {
      const bool mixed = label->role.kind == Role::Kind::mixed;
      text_at(fonts_.text, {pos.x + label_start(), y}, mixed ? theme_.ink_soft : theme_.ink,
              say(label->*shown_label()));
      if (under_pointer(pos, b))
        ui::tooltip_beside(frame_, pos, b, {head_name(h), label->full, label->evidence, label->removal, label->bold});
    }
    if (recording() && band.first_group == 0)
      ui::probe({"roles/head/", h + 1}, {pos.x, std::max(pos.y, from)}, {b.x, std::min(b.y, bottom_)});
  }

  void header(const RolesBand& band, float top) {
    float x = origin_.x + at_.label + gap_;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g) {
      const ShownRoleGroup& group = nth(groups_, g);
      pen::line({x, top + 1.05f * small_}, {x + group.width - u_, top + 1.05f * small_}, theme_.line);
      text_at(fonts_.small, {x, top}, theme_.ink_faint, title_of(group.group));
      x += group.width + gap_;
    }
    for_columns(band, [&](const ShownRoleColumn& shown, float left) { column_header(band, shown, {left, top}); });
  }

  void column_header(const RolesBand& band, const ShownRoleColumn& shown, ImVec2 pos) {
    const RoleColumn& column = *shown.column;
    ImFont* font = fonts_.small;
    const bool sorted = view_.roles.sorted == shown.number;
    const ImVec2 a{pos.x, pos.y + 1.1f * small_}, b{pos.x + shown.width, pos.y + band.header};
    const bool under = under_pointer(a, b);
    const float right = b.x - u_;
    const std::vector<std::string>& lines = shown.lines;
    float y = a.y + real(name_lines(band) - lines.size()) * small_;
    for (const std::string& line : lines) {
      text_up_to(font, {right, y}, ink_for(frame_, under || sorted), line);
      y += small_;
    }
    if (sorted) pen::line({right - text_width(font, lines.back()), y + 1}, {right, y + 1}, theme_.accent, 2);
    const bool profile = column.kind == RoleColumn::Kind::profile;
    const std::string rows = profile ? "" : std::to_string(rows_of(column, table_.heads.front()));
    if (column.kind != RoleColumn::Kind::positional)  // its offset is each head's own
      text_up_to(font, {right, y + 0.1f * small_}, theme_.ink_faint, rows);
    ui::probe({"roles/column/", column.key}, a, {b.x, std::min(b.y, bottom_)});
    if (!under) return;
    ui::tooltip_beside(frame_, a, b, column_tip(column));
    if (ui::clicked() && !profile) view_.roles.sorted = sorted ? std::nullopt : std::optional(shown.number);
  }

  // --- a cell

  void cell(const ShownRoleColumn& shown, int h, ImVec2 pos) {
    if (pos.x > right_ || pos.x + shown.width < window_.x) return;
    const RoleColumn& column = *shown.column;
    const HeadLabel* label = label_of(frame_.roles, h);
    const float inset = 0.75f * u_, left = 1.75f * u_;
    const ImVec2 a{pos.x + left, pos.y + inset}, b{pos.x + shown.width - u_, pos.y + row_height() - inset};
    draw_role_cell(frame_, column, h, label && is_best(column, label->role), a, b);
    ui::probe({"roles/cell/", h + 1, "/", column.key}, a, {b.x, std::min(b.y, bottom_)});
    if (under_pointer({pos.x, pos.y}, {pos.x + shown.width, pos.y + row_height()}))
      ui::tooltip_beside(frame_, pos, {pos.x + shown.width, pos.y + row_height()}, cell_tip(column, table_, h));
  }

  bool under_pointer(ImVec2 a, ImVec2 b) const {
    if (!hovered_) return false;
    const ImVec2 mouse = ImGui::GetIO().MousePos, low = pen::list()->GetClipRectMin(),
                 high = pen::list()->GetClipRectMax();
    return mouse.x >= std::max(a.x, low.x) && mouse.x < std::min(b.x, high.x) && mouse.y >= std::max(a.y, low.y) &&
           mouse.y < std::min(b.y, high.y);
  }

  const RoleTable& table_;
  std::vector<ShownRoleGroup> groups_;
  std::vector<int> order_;  // of the heads
  RolesLayout at_;
  float gap_ = 0;
  ImVec2 origin_, window_;  // of the table's content, scrolled; of its window
  float right_ = 0, bottom_ = 0;
  bool hovered_ = false;
};

}  // namespace

void draw_role_table(Frame& frame, ImVec2 pos, ImVec2 size) { RoleTableView(frame).draw(pos, size); }

}  // namespace hydra

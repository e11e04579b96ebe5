#include "app/views/roles/roles_parts.h"

#include "app/views/head_marks.h"
#include "app/views/pages.h"
#include "app/views/roles/roles_heads.h"
#include "app/views/roles/roles_layout.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

struct RolesScroll {
  std::optional<HeadPlace> to;  // the head in focus that was last brought into view
};

bool recording() { return ui::probe_recorder() != nullptr; }

class RoleTableView : Drawing {
 public:
  explicit RoleTableView(Frame& frame)
      : Drawing(frame), heads_(frame), all_(heads_.all()), groups_(shown_role_groups(frame)) {}

  void draw(ImVec2 pos, ImVec2 size) {
    place(pos, size);
    turn_to_page(pos, size);
    const Scrolls scrolls = at_.sideways ? Scrolls::sideways : at_.scrolls ? Scrolls::down : Scrolls::no;
    if (canvas_.begin_room("roles/table", pos, size, scrolls)) {
      origin_ = ImGui::GetCursorScreenPos();
      window_ = ImGui::GetWindowPos();
      const ImVec2 clip = canvas_.visible().end();
      right_ = clip.x;
      bottom_ = clip.y;
      hovered_ = ImGui::IsWindowHovered();
      if (all_) bring_focus_into_view();
      for (const RolesBand& band : at_.bands) draw_band(band);
      ImGui::SetCursorScreenPos(origin_);
      const RolesBand& last = at_.bands.back();
      ImGui::Dummy({at_.label + (at_.sideways ? widest() : 0), last.top + last.header + rows_height()});
    }
    canvas_.end_room();
  }

 private:
  float row_height() const { return at_.row; }
  float rows_height() const { return real(rows().size()) * row_height(); }
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

  // A presentation does not scroll through bands: each has a page of its own, the last one what is left.
  void turn_to_page(ImVec2 pos, ImVec2 size) {
    constexpr int kMost = 3;
    const auto bands = int_size(at_.bands);
    int& pages = frame_.hands.of<PagesDrawn>().of_roles;
    pages = view_.presentation && !all_ && at_.scrolls ? std::min(bands, kMost) : 1;
    if (pages == 1) return;
    const int page = std::min(view_.roles.page, pages - 1);
    const RolesBand& first = nth(at_.bands, page);
    const RolesBand& last = page + 1 == pages ? at_.bands.back() : first;
    groups_ = {groups_.begin() + first.first_group, groups_.begin() + last.first_group + last.groups};
    place(pos, size);
  }

  // --- the rows

  const std::vector<HeadPlace>& rows() const { return heads_.rows(); }

  // Whoever moves the focus sees where it went.
  void bring_focus_into_view() {
    std::optional<HeadPlace>& seen = frame_.hands.of<RolesScroll>().to;
    if (seen == heads_.focused()) return;
    seen = heads_.focused();
    const auto at = std::ranges::find(rows(), heads_.focused());
    if (at == rows().end()) return;
    const RolesBand& band = at_.bands.front();
    const float top = real(at - rows().begin()) * row_height();  // below the header
    const float room = bottom_ - window_.y - band.header - row_height();
    const float scroll = ImGui::GetScrollY();
    if (top >= scroll && top <= scroll + room) return;
    ImGui::SetScrollY(std::max(0.0f, top - 0.5f * room));
  }

  // Those of a band that are in view, the first row's top at first.
  template <class Task>
  void for_rows(float first, float low, float high, const Task& task) const {
    const auto count = int_size(rows());
    const int from = std::clamp(static_cast<int>(std::floor((low - first) / row_height())), 0, count);
    for (int k = from; k < count; ++k) {
      const float y = first + real(k) * row_height();
      if (y > high) return;
      task(nth(rows(), k), y);
    }
  }

  void place(ImVec2 pos, ImVec2 size) {
    auto in = room_for<RolesInput>(frame_, pos, size);
    in.heads = std::max(1, int_size(rows()));
    in.one_band = all_;
    for (const ShownRoleGroup& group : groups_) {
      in.groups.push_back(group.width);
      in.headers.push_back(header_height(name_lines(group)));
    }
    in.label = heads_.least();
    in.longest = heads_.longest();
    in.row = std::round(1.75f * em_);
    in.tight_row = std::round(1.5f * em_);
    in.gap = 2.5f * u_;
    at_ = roles_layout(in);
    gap_ = in.gap;
  }

  // --- a band: its header, its rows

  void draw_band(const RolesBand& band) {
    // The header stays in view for as long as a row under it is.
    const float natural = origin_.y + band.top;
    const float top = at_.scrolls ? std::clamp(window_.y, natural, natural + rows_height()) : natural;
    const float first = natural + band.header, left = at_.sideways ? window_.x : origin_.x;
    const float cells = left + at_.label, lines = real(name_lines(band));
    draw_row_grounds(band, left, top + band.header, first);
    canvas_.push_clip({cells, top + band.header}, {right_, bottom_});
    for_rows(first, top + band.header, bottom_, [&](const HeadPlace& place, float y) {
      for_columns(band, [&](const ShownRoleColumn& shown, float x) { cell(shown, place, {x, y}); });
    });
    canvas_.pop_clip();
    canvas_.push_clip({left, top + band.header}, {right_, bottom_});
    for_rows(first, top + band.header, bottom_, [&](const HeadPlace& place, float y) {
      head(band, place, {left, y}, top + band.header);
    });
    for_rows(first, top + band.header, bottom_, [&](const HeadPlace& place, float y) {
      if (y > first && heads_.starts_layer(place)) canvas_.line({left, y}, {right_of(band), y}, theme_.line);
    });
    if (!all_ && !view_.roles.sorted && rows().size() == layer_of(frame_).heads.size())
      group_row_lines(
          frame_, "roles/group/" + (band.first_group > 0 ? ui::words("band ", band.first_group, "/") : std::string()),
          view_.layer, {left, first}, row_height());
    canvas_.pop_clip();
    canvas_.push_clip({cells, top}, {right_, bottom_});
    header(band, top);
    canvas_.pop_clip();
    row_headers({left, top + (0.15f + lines) * small_});
    canvas_.text_at(fonts_.small, {left, top + (1.25f + lines) * small_}, theme_.ink_faint, "rows");
    canvas_.line({left, top + band.header - 1}, {right_of(band), top + band.header - 1}, theme_.line);
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
    canvas_.push_clip({left, from}, {right_, bottom_});
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for_rows(first, from, bottom_, [&](const HeadPlace& place, float y) {
      const ImVec2 a{left, y}, b{right_of(band), y + row_height()};
      const bool under = hovered_ && mouse.y >= std::max(a.y, from) && mouse.y < b.y && mouse.x >= a.x && mouse.x < b.x;
      if (place == heads_.focused())
        canvas_.fill(a, b, theme_.accent_soft);
      else if (under)
        canvas_.fill(a, b, theme_.raised);
      if (under && ui::clicked()) heads_.focus(place);
    });
    canvas_.pop_clip();
  }

  void head(const RolesBand& band, const HeadPlace& place, ImVec2 pos, float from) {
    const ImVec2 b{pos.x + at_.label, pos.y + row_height()};
    heads_.draw(place, pos, b, at_.sideways);
    const HeadLabel* label = shown_label(frame_, place);
    if (label && under_pointer(pos, b)) role_tip(frame_, pos, b, heads_.name_of(place), *label);
    if (!recording() || band.first_group != 0) return;
    const ImVec2 low{pos.x, std::max(pos.y, from)}, high{b.x, std::min(b.y, bottom_)};
    if (all_)
      ui::probe({"roles/head/", place.layer + 1, ".", place.head + 1}, low, high);
    else
      ui::probe({"roles/head/", place.head + 1}, low, high);
  }

  // Over the heads: of all layers a click sorts by them, or by what they are called.
  void row_headers(ImVec2 pos) {
    if (!all_) return canvas_.text_at(fonts_.small, pos, theme_.ink_soft, "head");
    const RolesState& roles = view_.roles;
    const bool by_layer = !roles.sorted && !roles.by_role, by_role = !roles.sorted && roles.by_role;
    if (row_header("roles/column/head", pos, pos.x + heads_.label_start() - 2 * u_, "layer, head", by_layer,
                   "Click: layer after layer, and their heads in order."))
      frame_.choose(roles.sorted, std::nullopt), frame_.choose(roles.by_role, false);
    if (row_header("roles/column/role", {pos.x + heads_.label_start(), pos.y}, pos.x + at_.label, "role", by_role,
                   "What the head is called. Click: sort by it, heads with a name first."))
      frame_.choose(roles.sorted, std::nullopt), frame_.choose(roles.by_role, true);
  }

  bool row_header(const char* name, ImVec2 pos, float right, const char* text, bool sorted, const char* tip) {
    const ImVec2 end{right, pos.y + small_};
    const bool under = under_pointer(pos, end);
    canvas_.text_at(fonts_.small, pos, ink_for(frame_, under || sorted), clipped(fonts_.small, text, right - pos.x));
    if (sorted)
      canvas_.line({pos.x, end.y + 1}, {std::min(right, pos.x + text_width(fonts_.small, text)), end.y + 1},
                   theme_.accent, 2);
    ui::probe(name, pos, end);
    if (under) ui::tooltip_beside(frame_, pos, end, {tip});
    return under && ui::clicked();
  }

  void header(const RolesBand& band, float top) {
    float x = origin_.x + at_.label + gap_;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g) {
      const ShownRoleGroup& group = nth(groups_, g);
      canvas_.line({x, top + 1.05f * small_}, {x + group.width - u_, top + 1.05f * small_}, theme_.line);
      canvas_.text_at(fonts_.small, {x, top}, theme_.ink_faint, title_of(group.group));
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
      canvas_.text_up_to(font, {right, y}, ink_for(frame_, under || sorted), line);
      y += small_;
    }
    if (sorted) canvas_.line({right - text_width(font, lines.back()), y + 1}, {right, y + 1}, theme_.accent, 2);
    const bool profile = column.kind == RoleColumn::Kind::profile;
    const std::string rows = profile ? "" : rows_under(column);
    if (column.kind != RoleColumn::Kind::positional)  // its offset is each head's own
      canvas_.text_up_to(font, {right, y + 0.1f * small_}, theme_.ink_faint, rows);
    ui::probe({"roles/column/", column.key}, a, {b.x, std::min(b.y, bottom_)});
    if (!under) return;
    ui::tooltip_beside(frame_, a, b, column_tip(column, shown_roles(frame_, 0)));
    if (ui::clicked() && !profile)
      frame_.choose(view_.roles.sorted, sorted ? std::nullopt : std::optional(shown.number));
  }

  // How many rows the column counts; nothing where layers differ.
  std::string rows_under(const RoleColumn& column) const {
    if (!all_) return std::to_string(rows_of(column, roles_of(frame_).table->heads.front()));
    const auto rows_in = [&](const StackRoles::OfLayer& layer) { return rows_of(column, layer.table->heads.front()); };
    const std::vector<StackRoles::OfLayer>& all = stack_roles_of(frame_).layers;
    const Index count = rows_in(all.front());
    return std::ranges::all_of(all, [&](const auto& l) { return rows_in(l) == count; }) ? std::to_string(count) : "";
  }

  // --- a cell

  void cell(const ShownRoleColumn& shown, const HeadPlace& place, ImVec2 pos) {
    if (pos.x > right_ || pos.x + shown.width < window_.x) return;
    const RoleColumn& column = *shown.column;
    const HeadLabel* label = shown_label(frame_, place);
    const float inset = 0.75f * u_, left = 1.75f * u_;
    const ImVec2 a{pos.x + left, pos.y + inset}, b{pos.x + shown.width - u_, pos.y + row_height() - inset};
    draw_role_cell(frame_, column, place, label && is_best(column, label->role, shown_roles(frame_, place.layer)), a,
                   b);
    if (recording()) probe_cell(place, column, a, {b.x, std::min(b.y, bottom_)});
    if (recording() && hides(frame_, column)) ui::probe({"roles/hidden/", place.head + 1, "/", column.key}, a, b);
    if (hides(frame_, column)) return;
    if (under_pointer({pos.x, pos.y}, {pos.x + shown.width, pos.y + row_height()})) {
      std::vector<std::string> lines = cell_tip(column, shown_roles(frame_, place.layer), place.head);
      if (all_) lines.front() = heads_.name_of(place) + ": " + lines.front();
      ui::tooltip_beside(frame_, pos, {pos.x + shown.width, pos.y + row_height()}, lines);
    }
  }

  void probe_cell(const HeadPlace& place, const RoleColumn& column, ImVec2 low, ImVec2 high) const {
    if (all_)
      ui::probe({"roles/cell/", place.layer + 1, ".", place.head + 1, "/", column.key}, low, high);
    else
      ui::probe({"roles/cell/", place.head + 1, "/", column.key}, low, high);
  }

  bool under_pointer(ImVec2 a, ImVec2 b) const {
    if (!hovered_) return false;
    const Box in_sight = canvas_.visible();
    const ImVec2 mouse = ImGui::GetIO().MousePos, low = in_sight.pos, high = in_sight.end();
    return mouse.x >= std::max(a.x, low.x) && mouse.x < std::min(b.x, high.x) && mouse.y >= std::max(a.y, low.y) &&
           mouse.y < std::min(b.y, high.y);
  }

  RoleHeads heads_;
  bool all_;  // they are of all layers
  std::vector<ShownRoleGroup> groups_;
  RolesLayout at_;
  float gap_ = 0;
  ImVec2 origin_, window_;  // of the table's content, scrolled; of its window
  float right_ = 0, bottom_ = 0;
  bool hovered_ = false;
};

}  // namespace

void draw_role_table(Frame& frame, ImVec2 pos, ImVec2 size) { RoleTableView(frame).draw(pos, size); }

}  // namespace hydra

#include "app/views/roles/roles_parts.h"

#include <set>

#include "app/views/frame/ui.h"
#include "app/views/roles/roles_heads.h"
#include "app/views/roles/roles_layout.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/pages.h"
#include "app/widgets/table.h"

namespace hydra {

namespace {

struct RolesScroll {
  std::optional<HeadPlace> to;  // the head in focus that was last brought into view
};

// What the head is, and what it is called, stand before the numbers.
constexpr int kHead = 0, kRole = 1, kNumbers = 2;

class RoleTableView : Drawing {
 public:
  explicit RoleTableView(Frame& frame)
      : Drawing(frame), heads_(frame), all_(heads_.all()), groups_(shown_role_groups(frame)) {}

  float draw(ImVec2 pos, ImVec2 size) {
    place(pos, size);
    turn_to_page(pos, size);
    auto table = styled<Table>(frame_);
    table.name = "roles";
    table.row = at_.row, table.title_line = 1;
    table.rows = std::ssize(rows());
    table.sideways = at_.sideways;
    add_heads(table);
    for (const RolesBand& band : at_.bands) add_band(table, band);
    if (const auto at = std::ranges::find(rows(), heads_.focused()); canvas_.marks_focus() && at != rows().end()) {
      table.marked = at - rows().begin();
      std::optional<HeadPlace>& seen = frame_.hands.of<RolesScroll>().to;
      if (all_ && seen != heads_.focused()) table.shown = table.marked;  // whoever moves the focus sees where it went
      if (all_) seen = heads_.focused();
    }
    table.drawn = [&](Index row, int column, ImVec2 low, ImVec2 high) {
      draw_cell(nth(rows(), row), column, low, high);
    };
    table.begins = [&](Index row) { return heads_.starts_layer(nth(rows(), row)); };
    int band = 0;
    table.over = [&](ImVec2 corner, Index) {
      if (!all_ && !view_.roles.sorted && rows().size() == layer_of(frame_).heads.size())
        group_row_lines(frame_,
                        "roles/group/" + (band > 0 ? ui::words("band ", first_group(band), "/") : std::string()),
                        view_.layer, corner, at_.row);
      ++band;
    };
    compare(frame_, table, [this](const Source& source) { return texts_of(source); });
    answer(draw_table(canvas_, table, {pos, size}));
    return at_.bands.back().top + at_.bands.back().header + real(rows().size()) * at_.row;
  }

 private:
  // By the longest name over a column.
  float header_height(std::size_t lines) const { return std::round((2.4f + real(lines)) * small_ + 2 * u_); }
  static std::size_t name_lines(const ShownRoleGroup& group) {
    std::size_t lines = 1;
    for (const ShownRoleColumn& shown : group.columns) lines = std::max(lines, shown.lines.size());
    return lines;
  }
  int first_group(int band) const { return nth(at_.bands, band).first_group; }
  const std::vector<HeadPlace>& rows() const { return heads_.rows(); }

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

  // --- the columns

  void add_heads(Table& table) {
    const float role = heads_.label_start();
    const std::string& rows = wording("roles:table.rows");
    const auto add = [&](const char* key, const char* title, float left, float right, const std::string& foot) {
      table.columns.push_back(
          {.key = key, .title = {}, .left = left, .right = right, .kind = TableColumn::Kind::drawn});
      TableColumn& column = table.columns.back();
      if (*title) column.title = {wording(title)};
      column.sorts = all_;
      column.foot = foot;
    };
    add("head", all_ ? "roles:table.layer_head" : "roles:table.head", 0, role - 2 * u_, rows);
    add("role", all_ ? "roles:table.role" : "", role, at_.label, "");
    table.frozen = kNumbers;
    if (all_ && !view_.roles.sorted) table.sorted = view_.roles.by_role ? kRole : kHead;
  }

  void add_band(Table& table, const RolesBand& band) {
    TableBand made{int_size(table.columns), 0, band.top, band.header};
    float x = at_.label + gap_;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g) {
      const ShownRoleGroup& group = nth(groups_, g);
      made.groups.push_back({title_of(group.group, shown_roles(frame_, 0)), x, x + group.width - u_});
      for (const ShownRoleColumn& shown : group.columns) {
        if (view_.roles.sorted == shown.number) table.sorted = int_size(table.columns);
        table.columns.push_back(column_of(shown, x + shown.x));
        columns_.push_back(shown);
      }
      x += group.width + gap_;
    }
    made.count = int_size(table.columns) - made.first;
    table.bands.push_back(made);
  }

  TableColumn column_of(const ShownRoleColumn& shown, float left) const {
    TableColumn column{shown.column->key, shown.lines, left, left + shown.width, TableColumn::Kind::drawn};
    column.at_right = true;
    column.sorts = !is_profile(shown);
    const bool own_rows = shown.column->kind == RoleColumn::Kind::positional;  // its offset is each head's own
    if (column.sorts && !own_rows) column.foot = rows_under(*shown.column);
    return column;
  }
  static bool is_profile(const ShownRoleColumn& shown) { return shown.column->kind == RoleColumn::Kind::profile; }
  const ShownRoleColumn& shown_in(int column) const { return nth(columns_, column - kNumbers); }

  // How many rows the column counts; nothing where layers differ.
  std::string rows_under(const RoleColumn& column) const {
    if (!all_) return std::to_string(rows_of(column, roles_of(frame_).table->heads.front()));
    const auto rows_in = [&](const StackRoles::OfLayer& layer) { return rows_of(column, layer.table->heads.front()); };
    const std::vector<StackRoles::OfLayer>& all = stack_roles_of(frame_).layers;
    const Index count = rows_in(all.front());
    return std::ranges::all_of(all, [&](const auto& l) { return rows_in(l) == count; }) ? std::to_string(count) : "";
  }

  // --- a cell

  // The scores of any state, where the text or the task that they are of is the same.
  CellTexts texts_of(const Source& source) const {
    std::vector<std::shared_ptr<const RoleTable>> tables = role_tables_of(frame_, source);
    if (tables.empty()) return {};
    return [this, tables = std::move(tables)](Index row, int column) {
      if (column < kNumbers || is_profile(shown_in(column)) || hides(frame_, *shown_in(column).column))
        return std::string();
      const HeadPlace& place = nth(rows(), row);
      const std::size_t layer = all_ ? static_cast<std::size_t>(place.layer) : 0;
      if (layer >= tables.size() || place.head >= int_size(tables[layer]->heads)) return std::string();
      return cell_text(*shown_in(column).column, nth(tables[layer]->heads, place.head));
    };
  }

  void draw_cell(const HeadPlace& place, int column, ImVec2 low, ImVec2 high) {
    if (column == kHead) heads_.draw_number(place, low, high);
    if (column == kRole) heads_.draw_role(place, low, high);
    if (column >= kNumbers) draw_number(place, *shown_in(column).column, low, high);
    if (column == kHead && ui::probe_recorder()) probe_head(place, low, {low.x + at_.label, high.y});
  }

  void draw_number(const HeadPlace& place, const RoleColumn& column, ImVec2 low, ImVec2 high) {
    const HeadLabel* label = shown_label(frame_, place);
    const ImVec2 a{low.x + 1.75f * u_, low.y + 0.75f * u_}, b{high.x - u_, high.y - 0.75f * u_};
    draw_role_cell(frame_, column, place, label && is_best(column, label->role, shown_roles(frame_, place.layer)), a,
                   b);
    if (!ui::probe_recorder()) return;
    const ImVec2 seen{b.x, std::min(b.y, canvas_.visible().bottom())};
    if (all_)
      ui::probe({"roles/cell/", place.layer + 1, ".", place.head + 1, "/", column.key}, a, seen);
    else
      ui::probe({"roles/cell/", place.head + 1, "/", column.key}, a, seen);
    if (hides(frame_, column)) ui::probe({"roles/hidden/", place.head + 1, "/", column.key}, a, b);
  }

  // Once, whatever bands there are.
  void probe_head(const HeadPlace& place, ImVec2 low, ImVec2 high) {
    if (!named_.insert({place.layer, place.head}).second) return;
    const Box seen = canvas_.visible();
    low.y = std::max(low.y, seen.pos.y), high.y = std::min(high.y, seen.bottom());
    if (all_)
      ui::probe({"roles/head/", place.layer + 1, ".", place.head + 1}, low, high);
    else
      ui::probe({"roles/head/", place.head + 1}, low, high);
  }

  // --- the pointer

  void answer(const TableResult& at) {
    if (at.in_header) return answer_header(at);
    if (at.row < 0) return;
    const HeadPlace& place = nth(rows(), at.row);
    if (at.column >= 0) tell(place, at);
    if (at.clicked) heads_.focus(place);
  }

  void answer_header(const TableResult& at) {
    const RolesState& roles = view_.roles;
    if (at.column < kNumbers) {
      if (!all_) return;
      ui::tooltip_beside(frame_, at.low, at.high,
                         {wording(at.column == kHead ? "roles:table.layer_head.tip" : "roles:table.role.tip")});
      if (at.clicked) frame_.choose(roles.sorted, std::nullopt), frame_.choose(roles.by_role, at.column == kRole);
      return;
    }
    const ShownRoleColumn& shown = shown_in(at.column);
    ui::tooltip_beside(frame_, at.low, at.high, column_tip(*shown.column, shown_roles(frame_, 0)));
    if (at.clicked && !is_profile(shown))
      frame_.choose(roles.sorted, roles.sorted == shown.number ? std::nullopt : std::optional(shown.number));
  }

  void tell(const HeadPlace& place, const TableResult& at) const {
    if (at.column < kNumbers) {
      if (const HeadLabel* label = shown_label(frame_, place))
        role_tip(frame_, at.low, at.high, heads_.name_of(place), *label);
      return;
    }
    const RoleColumn& column = *shown_in(at.column).column;
    if (hides(frame_, column)) return;
    std::vector<std::string> lines = cell_tip(column, shown_roles(frame_, place.layer), place.head);
    if (std::string other = told_other(frame_, at); !other.empty()) lines.push_back(std::move(other));
    if (all_) lines.front() = heads_.name_of(place) + ": " + lines.front();
    ui::tooltip_beside(frame_, at.low, at.high, lines);
  }

  RoleHeads heads_;
  bool all_;  // they are of all layers
  std::vector<ShownRoleGroup> groups_;
  std::vector<ShownRoleColumn> columns_;  // of the table, behind the frozen ones
  std::set<std::pair<int, int>> named_;   // heads whose label has its probe
  RolesLayout at_;
  float gap_ = 0;
};

}  // namespace

float draw_role_table(Frame& frame, ImVec2 pos, ImVec2 size) { return RoleTableView(frame).draw(pos, size); }

}  // namespace hydra

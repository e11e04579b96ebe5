// Roles: what each head does, heads by measures, every number beside that of random heads.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "app/views/controls.h"
#include "app/views/roles/roles_columns.h"
#include "app/views/roles/roles_layout.h"
#include "app/views/sharing_mark.h"
#include "app/views/views.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"

namespace hydra {

namespace {

bool recording() { return ui::probe_recorder() != nullptr; }

ImU32 faded(ImU32 color, float alpha) {
  const auto a = static_cast<ImU32>(static_cast<float>((color & IM_COL32_A_MASK) >> IM_COL32_A_SHIFT) * alpha);
  return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

class RoleTableView {
 public:
  explicit RoleTableView(Frame& frame)
      : frame_(frame),
        view_(frame.view),
        table_(*frame.roles.table),
        em_(frame.fonts.text->FontSize),
        small_(frame.fonts.small->FontSize),
        list_(ImGui::GetWindowDrawList()) {
    choose_columns();
    sort_heads();
  }

  void draw(ImVec2 pos, ImVec2 size) {
    place(pos, size);
    ImGui::SetCursorScreenPos(pos);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const ImGuiWindowFlags flags =
        ImGuiWindowFlags_NoNav | (at_.sideways  ? ImGuiWindowFlags_HorizontalScrollbar
                                  : at_.scrolls ? 0
                                                : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    if (ImGui::BeginChild("roles/table", size, false, flags)) {
      list_ = ImGui::GetWindowDrawList();
      origin_ = ImGui::GetCursorScreenPos();
      window_ = ImGui::GetWindowPos();
      const ImVec2 clip = list_->GetClipRectMax();
      right_ = clip.x;
      bottom_ = clip.y;
      hovered_ = ImGui::IsWindowHovered();
      for (const RolesBand& band : at_.bands) draw_band(band);
      ImGui::SetCursorScreenPos(origin_);
      const RolesBand& last = at_.bands.back();
      const float rows = static_cast<float>(order_.size()) * row_height();
      ImGui::Dummy({at_.label + (at_.sideways ? widest() : 0), last.top + header_height() + rows});
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
  }

 private:
  struct Shown {
    const RoleColumn* column;
    int number;      // among all columns
    float x, width;  // within its group
  };
  struct Group {
    RoleGroup group;
    std::vector<Shown> columns;
    float width = 0;
  };

  float row_height() const { return at_.row; }
  float header_height() const {
    return std::round((2.4f + static_cast<float>(name_lines_)) * small_ + 2 * frame_.unit);
  }
  float widest() const {
    float width = 0;
    for (const RolesBand& band : at_.bands) width = std::max(width, band.width);
    return width;
  }
  float column_width(const RoleColumn& column) const {
    using Kind = RoleColumn::Kind;
    const float width = column.kind == Kind::profile ? 6.2f : column.kind == Kind::positional ? 4.6f : 3.05f;
    // A relation has its whole name, a word to a line at the narrowest.
    float word = 0;
    if (column.kind == Kind::relation)
      for (const std::string& line : lines_of(column, 0)) word = std::max(word, text_width(frame_.fonts.small, line));
    return std::round(std::max(width * em_, word + 2.5f * frame_.unit));
  }

  // What stands over a column: of a relation its name, in lines that are no wider than so much or a word.
  std::vector<std::string> lines_of(const RoleColumn& column, float width) const {
    if (column.kind != RoleColumn::Kind::relation) return {spelled(frame_, column.brief)};
    std::vector<std::string> lines;
    std::istringstream words(column.title);
    for (std::string word; words >> word;) {
      const std::string longer = lines.empty() ? word : lines.back() + " " + word;
      if (lines.empty() || text_width(frame_.fonts.small, longer) > width)
        lines.push_back(word);
      else
        lines.back() = longer;
    }
    return lines;
  }

  // Relations of which nothing is marked are left out.
  void choose_columns() {
    const std::vector<RoleColumn>& all = role_columns();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].kind == RoleColumn::Kind::relation && rows_of(all[k], table_.chance) == 0) continue;
      if (groups_.empty() || groups_.back().group != all[k].group) groups_.push_back({all[k].group, {}});
      Group& group = groups_.back();
      const float width = column_width(all[k]);
      name_lines_ = std::max(name_lines_, lines_of(all[k], width - 2 * frame_.unit).size());
      group.columns.push_back({&all[k], static_cast<int>(k), group.width, width});
      group.width += width;
    }
  }

  void sort_heads() {
    order_.resize(table_.heads.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!view_.roles_sorted) return;
    const RoleColumn& column = role_columns()[static_cast<std::size_t>(*view_.roles_sorted)];
    const auto key = [&](int head) {
      const double value = value_of(column, table_.heads[static_cast<std::size_t>(head)]);
      return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return key(a) > key(b); });
  }

  void place(ImVec2 pos, ImVec2 size) {
    RolesInput in;
    in.pos = pos;
    in.size = size;
    in.heads = static_cast<int>(order_.size());
    for (const Group& group : groups_) in.groups.push_back(group.width);
    in.label = label_start() + widest(&HeadLabel::brief) + 2 * frame_.unit;
    in.longest = label_start() + std::max(widest(&HeadLabel::full), widest(&HeadLabel::wider)) + 3 * frame_.unit;
    in.row = std::round(1.75f * em_);
    in.tight_row = std::round(1.5f * em_);
    in.header = header_height();
    in.gap = 2.5f * frame_.unit;
    in.scrollbar = ImGui::GetStyle().ScrollbarSize;
    at_ = roles_layout(in);
    gap_ = in.gap;
  }

  float label_start() const { return 1.0f * em_ + text_width(frame_.fonts.text, "96") + 2.5f * frame_.unit; }

  // --- a band: its header, its rows

  void draw_band(const RolesBand& band) {
    // The header stays in view for as long as a row under it is.
    const float natural = origin_.y + band.top, rows = static_cast<float>(order_.size()) * row_height();
    const float top = at_.scrolls ? std::clamp(window_.y, natural, natural + rows) : natural;
    const float first = natural + header_height(), left = at_.sideways ? window_.x : origin_.x;
    const float cells = left + at_.label;
    draw_row_grounds(band, left, top + header_height(), first);
    list_->PushClipRect({cells, top + header_height()}, {right_, bottom_}, true);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const float y = first + static_cast<float>(k) * row_height();
      if (y + row_height() < top + header_height() || y > bottom_) continue;
      for_columns(band, [&](const Shown& shown, float x) { cell(shown, order_[k], {x, y}); });
    }
    list_->PopClipRect();
    list_->PushClipRect({left, top + header_height()}, {right_, bottom_}, true);
    for (std::size_t k = 0; k < order_.size(); ++k)
      head(band, order_[k], {left, first + static_cast<float>(k) * row_height()}, top + header_height());
    if (!view_.roles_sorted && order_.size() == frame_.trace.layers.front().heads.size())
      group_row_lines(frame_, "roles/group/" + std::string(band.first_group > 0 ? "again/" : ""), view_.layer,
                      {left, first}, row_height());
    list_->PopClipRect();
    list_->PushClipRect({cells, top}, {right_, bottom_}, true);
    header(band, top);
    list_->PopClipRect();
    text_at(list_, frame_.fonts.small, {left, top + (0.15f + static_cast<float>(name_lines_)) * small_},
            frame_.theme.ink_soft, "head");
    text_at(list_, frame_.fonts.small, {left, top + (1.25f + static_cast<float>(name_lines_)) * small_},
            frame_.theme.ink_faint, "rows");
    list_->AddLine({left, top + header_height() - 1}, {right_of(band), top + header_height() - 1}, frame_.theme.line);
  }

  float right_of(const RolesBand& band) const { return std::min(right_, origin_.x + at_.label + band.width); }

  template <class Task>
  void for_columns(const RolesBand& band, const Task& task) const {
    float x = origin_.x + at_.label + gap_;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g) {
      const Group& group = groups_[static_cast<std::size_t>(g)];
      for (const Shown& shown : group.columns) task(shown, x + shown.x);
      x += group.width + gap_;
    }
  }

  void draw_row_grounds(const RolesBand& band, float left, float from, float first) {
    list_->PushClipRect({left, from}, {right_, bottom_}, true);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const float y = first + static_cast<float>(k) * row_height();
      const ImVec2 a{left, y}, b{right_of(band), y + row_height()};
      const bool under = hovered_ && mouse.y >= std::max(a.y, from) && mouse.y < b.y && mouse.x >= a.x && mouse.x < b.x;
      if (order_[k] == view_.focused_head)
        list_->AddRectFilled(a, b, frame_.theme.accent_soft);
      else if (under)
        list_->AddRectFilled(a, b, frame_.theme.raised);
      if (under && ImGui::IsMouseClicked(0)) focus_head(view_, order_[k]);
    }
    list_->PopClipRect();
  }

  // As many words as there is room for behind every head.
  std::string HeadLabel::*shown_label() const {
    const float room = at_.label - label_start() - frame_.unit;
    for (std::string HeadLabel::*words : {&HeadLabel::full, &HeadLabel::wider})
      if (widest(words) <= room) return words;
    return &HeadLabel::brief;
  }

  float widest(std::string HeadLabel::*words) const {
    float width = 0;
    for (const HeadLabel& label : frame_.roles.labels)
      width = std::max(width, text_width(frame_.fonts.text, spelled(frame_, label.*words)));
    return width;
  }

  void head(const RolesBand& band, int h, ImVec2 pos, float from) {
    if (pos.y + row_height() < from || pos.y > bottom_) return;
    const float side = std::round(0.7f * em_), y = pos.y + 0.5f * (row_height() - em_);
    const ImVec2 b{pos.x + at_.label, pos.y + row_height()};
    const ImU32 ground = h == view_.focused_head ? frame_.theme.accent_soft : frame_.theme.ground;
    if (at_.sideways) list_->AddRectFilled(pos, b, frame_.theme.ground), list_->AddRectFilled(pos, b, ground);
    list_->AddRectFilled({pos.x + frame_.unit, y + 0.15f * em_}, {pos.x + frame_.unit + side, y + 0.15f * em_ + side},
                         head_color(h, frame_.theme.dark));
    text_at(list_, frame_.fonts.text, {pos.x + em_ + frame_.unit, y}, frame_.theme.ink_soft, std::to_string(h + 1));
    if (const HeadLabel* label = label_of(frame_.roles, h)) {
      const bool mixed = label->role.kind == Role::Kind::mixed;
      text_at(list_, frame_.fonts.text, {pos.x + label_start(), y}, mixed ? frame_.theme.ink_soft : frame_.theme.ink,
              spelled(frame_, label->*shown_label()));
      if (under_pointer(pos, b))
        tooltip({"Head " + std::to_string(h + 1), label->full, label->evidence, label->removal, label->bold});
    }
    if (recording() && band.first_group == 0)
      ui::probe("roles/head/" + std::to_string(h + 1), {pos.x, std::max(pos.y, from)}, {b.x, std::min(b.y, bottom_)});
  }

  void header(const RolesBand& band, float top) {
    std::size_t lines = 1;
    for_columns(band, [&](const Shown& shown, float) {
      lines = std::max(lines, lines_of(*shown.column, shown.width - 2 * frame_.unit).size());
    });
    const float names = top;
    top += static_cast<float>(name_lines_ - lines) * small_;  // titles of groups close to the names under them
    float x = origin_.x + at_.label + gap_;
    for (int g = band.first_group; g < band.first_group + band.groups; ++g) {
      const Group& group = groups_[static_cast<std::size_t>(g)];
      list_->AddLine({x, top + 1.05f * small_}, {x + group.width - frame_.unit, top + 1.05f * small_},
                     frame_.theme.line);
      text_at(list_, frame_.fonts.small, {x, top}, frame_.theme.ink_faint, title_of(group.group));
      x += group.width + gap_;
    }
    for_columns(band, [&](const Shown& shown, float left) { column_header(shown, {left, names}); });
  }

  void column_header(const Shown& shown, ImVec2 pos) {
    const RoleColumn& column = *shown.column;
    ImFont* font = frame_.fonts.small;
    const bool sorted = view_.roles_sorted == shown.number;
    const ImVec2 a{pos.x, pos.y + 1.1f * small_}, b{pos.x + shown.width, pos.y + header_height()};
    const bool under = under_pointer(a, b);
    const float right = b.x - frame_.unit;
    const std::vector<std::string> lines = lines_of(column, shown.width - 2 * frame_.unit);
    float y = a.y + static_cast<float>(name_lines_ - lines.size()) * small_;
    for (const std::string& line : lines) {
      text_at(list_, font, {right - text_width(font, line), y},
              under || sorted ? frame_.theme.ink : frame_.theme.ink_soft, line);
      y += small_;
    }
    if (sorted) list_->AddLine({right - text_width(font, lines.back()), y + 1}, {right, y + 1}, frame_.theme.accent, 2);
    const bool profile = column.kind == RoleColumn::Kind::profile;
    const std::string rows = profile ? "" : std::to_string(rows_of(column, table_.heads.front()));
    if (column.kind != RoleColumn::Kind::positional)  // its offset is each head's own
      text_at(list_, font, {right - text_width(font, rows), y + 0.1f * small_}, frame_.theme.ink_faint, rows);
    if (recording()) ui::probe("roles/column/" + column.key, a, {b.x, std::min(b.y, bottom_)});
    if (!under) return;
    tooltip(column_tip(column));
    if (ImGui::IsMouseClicked(0) && !profile) view_.roles_sorted = sorted ? std::nullopt : std::optional(shown.number);
  }

  // --- a cell

  void cell(const Shown& shown, int h, ImVec2 pos) {
    if (pos.x > right_ || pos.x + shown.width < window_.x) return;
    const RoleColumn& column = *shown.column;
    const RoleMeasures& measures = table_.heads[static_cast<std::size_t>(h)];
    const HeadLabel* label = label_of(frame_.roles, h);
    const bool best = label && is_best(column, label->role);
    const ImU32 color = best ? head_color(h, frame_.theme.dark) : faded(frame_.theme.ink_soft, 0.55f);
    const float inset = 0.75f * frame_.unit, left = 1.75f * frame_.unit;
    const ImVec2 a{pos.x + left, pos.y + inset}, b{pos.x + shown.width - frame_.unit, pos.y + row_height() - inset};
    if (column.kind == RoleColumn::Kind::profile)
      profile(measures, a, b, color);
    else
      number(column, measures, best, a, b, color);
    if (recording())
      ui::probe("roles/cell/" + std::to_string(h + 1) + "/" + column.key, a, {b.x, std::min(b.y, bottom_)});
    if (under_pointer({pos.x, pos.y}, {pos.x + shown.width, pos.y + row_height()}))
      tooltip(cell_tip(column, table_, h));
  }

  void number(const RoleColumn& column, const RoleMeasures& measures, bool best, ImVec2 a, ImVec2 b, ImU32 color) {
    const double value = value_of(column, measures);
    const std::string text = spelled(frame_, cell_text(column, measures));
    ImFont* font = frame_.fonts.mono;
    const float thick = std::max(2.0f, 0.75f * frame_.unit);
    // The number and its bar stay together in the middle of a tall row.
    const float slack = 0.5f * std::max(0.0f, b.y - a.y - font->FontSize - 0.75f * frame_.unit - thick);
    a.y += slack;
    b.y -= slack;
    text_at(list_, font, {b.x - text_width(font, text), a.y},
            std::isnan(value) ? frame_.theme.ink_faint
            : best            ? frame_.theme.ink
                              : frame_.theme.ink_soft,
            text);
    if (std::isnan(value)) return;
    const BarRange range = bar_range(column, measures.reach());
    const auto x_of = [&](double v) {
      const auto t = static_cast<float>((std::clamp(v, range.low, range.high) - range.low) / (range.high - range.low));
      return a.x + t * (b.x - a.x);
    };
    const float top = b.y - thick;
    list_->AddRectFilled({a.x, top}, {b.x, b.y}, frame_.theme.line);
    const float zero = x_of(0), end = x_of(value);
    list_->AddRectFilled({std::min(zero, end), top}, {std::max(zero, end), b.y}, color);
    if (const double limit = chance_limit(column, table_); !std::isnan(limit))
      list_->AddLine({x_of(limit), top}, {x_of(limit), b.y}, frame_.theme.ink_soft, 1.0f);
    if (const double chance = value_of(column, table_.chance); !std::isnan(chance))
      list_->AddLine({x_of(chance), top - 0.75f * frame_.unit}, {x_of(chance), b.y + 0.5f * frame_.unit},
                     frame_.theme.ink, 1.5f);
    const float middle = 0.5f * (top + b.y), radius = 0.6f * frame_.unit;
    if (column.kind == RoleColumn::Kind::relation) {
      const double offset = measures.relations[column.index].offset_accuracy;
      if (!std::isnan(offset)) list_->AddCircle({x_of(offset), middle}, radius + 1, frame_.theme.ink, 0, 1.2f);
    }
    if (const double accuracy = accuracy_of(column, measures); !std::isnan(accuracy))
      list_->AddCircleFilled({x_of(accuracy), middle}, radius, frame_.theme.ink);
  }

  // The attention at the offsets -4 to 4, and over each that of random heads.
  void profile(const RoleMeasures& measures, ImVec2 a, ImVec2 b, ImU32 color) {
    const float step = (b.x - a.x) / 9;
    for (int k = -4; k <= 4; ++k) {
      const float left = a.x + static_cast<float>(k + 4) * step, right = left + step - 2;
      const auto y_of = [&](double value) { return b.y - static_cast<float>(value) * (b.y - a.y); };
      list_->AddLine({left, b.y}, {right, b.y}, frame_.theme.line);
      const double value = measures.offset(k).attention, chance = table_.chance.offset(k).attention;
      if (!std::isnan(value)) list_->AddRectFilled({left, y_of(value)}, {right, b.y}, color);
      if (!std::isnan(chance)) list_->AddLine({left, y_of(chance)}, {right, y_of(chance)}, frame_.theme.ink, 1);
    }
  }

  bool under_pointer(ImVec2 a, ImVec2 b) const {
    if (!hovered_) return false;
    const ImVec2 mouse = ImGui::GetIO().MousePos, low = list_->GetClipRectMin(), high = list_->GetClipRectMax();
    return mouse.x >= std::max(a.x, low.x) && mouse.x < std::min(b.x, high.x) && mouse.y >= std::max(a.y, low.y) &&
           mouse.y < std::min(b.y, high.y);
  }

  void tooltip(const std::vector<std::string>& lines) const {
    ui::begin_tooltip();
    ImGui::PushTextWrapPos(24 * em_);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (lines[k].empty()) continue;
      ImGui::PushFont(k == 0 ? frame_.fonts.strong : frame_.fonts.text);
      ImGui::TextUnformatted(imgui_text(spelled(frame_, lines[k])));
      ImGui::PopFont();
    }
    ImGui::PopTextWrapPos();
    ui::end_tooltip();
  }

  Frame& frame_;
  ViewState& view_;
  const RoleTable& table_;
  float em_, small_;
  ImDrawList* list_;
  std::vector<Group> groups_;
  std::vector<int> order_;  // of the heads
  RolesLayout at_;
  float gap_ = 0;
  std::size_t name_lines_ = 1;  // of the longest name over a column
  ImVec2 origin_, window_;      // of the table's content, scrolled; of its window
  float right_ = 0, bottom_ = 0;
  bool hovered_ = false;
};

void toolbar(Frame& frame) {
  ViewState& view = frame.view;
  if (ui::chip(frame, "roles/this", "This sentence", !view.roles_pooled, "Measured on the sentence that is shown."))
    view.roles_pooled = false;
  const std::string all = "All " + std::to_string(frame.roles.marked->size()) + " marked sentences";
  ui::flow_line(ui::chip_width(all.c_str()));
  if (ui::chip(frame, "roles/all", all.c_str(), view.roles_pooled,
               "Measured with the same weights on every sentence with marked relations, over all their rows."))
    view.roles_pooled = true;
  const float em = ImGui::GetFontSize();
  ui::flow_line(17 * em);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + (ImGui::GetCursorPosX() > em ? em : 0));
  auto threshold = static_cast<float>(view.role_threshold);
  ImGui::SetNextItemWidth(7 * em);
  if (ImGui::SliderFloat("##threshold", &threshold, 0, 1, "", ImGuiSliderFlags_AlwaysClamp))
    view.role_threshold = threshold;
  ui::probe("roles/threshold");
  ui::tip(
      "A head is called after its best role when the score is at least this (of an offset at least 0.90), stands on "
      "three rows or more, and is higher than almost any layer of random heads reaches; else it is mixed. A head that "
      "looks everywhere alike is called uniform at any threshold.");
  ImGui::SameLine(0, 2 * frame.unit);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(("a role from " + ui::fixed(threshold, 2)).c_str());
}

std::string reading_help(const Frame& frame) {
  const RoleTable& table = *frame.roles.table;
  const std::string layers = table.bounds ? std::to_string(table.bounds->layers) + " random layers" : "random layers";
  return "Bar: the score; the head's own colour where it is named after it. Line: the mean of " +
         std::to_string(table.random_heads) + " random heads. Thin line: what at most one in twenty of " + layers +
         " exceeds with any head in any column; a name needs more. Dot: the share of rows whose maximum is a target. "
         "Ring: the same for the relation's best fixed offset. A pattern is not a cause: removal says how much of Y "
         "goes with the head.";
}

}  // namespace

void draw_roles_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  if (room.x < 12 * ImGui::GetFontSize() || room.y < 8 * ImGui::GetFontSize()) return;  // folded to nothing
  toolbar(frame);
  sharing_caption(frame, "roles/sharing", frame.view.layer);
  if (!frame.roles.fault.empty()) {
    ui::soft_text(frame, "Measured on this sentence: " + frame.roles.fault + ".");
    ui::probe("roles/fault");
  }
  for (const std::string& file : frame.roles.skipped) ui::soft_text(frame, "Skipped: " + file);
  ui::failure_text(frame, frame.roles.failure);
  if (!frame.roles.table) return ui::waiting_text(frame, frame.roles.failure);
  const std::string help = reading_help(frame);
  ImFont* font = frame.fonts.small;
  const float help_height = font->CalcTextSizeA(font->FontSize, 1e9f, room.x, help.c_str()).y + frame.unit;
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const float height = origin.y + room.y - top - help_height - frame.unit;
  RoleTableView(frame).draw({origin.x, top}, {room.x, height});
  ImGui::SetCursorScreenPos({origin.x, origin.y + room.y - help_height});
  ui::soft_text(frame, help);
}

}  // namespace hydra

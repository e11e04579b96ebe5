#include "app/views/roles/roles_parts.h"

#include <algorithm>
#include <sstream>

#include "app/views/frame/ui.h"

namespace hydra {

namespace {

// What stands over a column: of a relation its name, in lines that are no wider than so much or a word; brief where
// rows need the room.
std::vector<std::string> lines_of(const Frame& frame, const RoleColumn& shown, float width) {
  const bool brief = shows_all_roles(frame) && frame.view.presentation;
  const RoleColumn column = in_words_of(shown, shown_roles(frame, 0));
  const bool named = column.kind == RoleColumn::Kind::relation || column.kind == RoleColumn::Kind::job;
  if (!named || brief) return {spelled(frame, column.brief)};
  std::vector<std::string> lines;
  std::istringstream words(column.title);
  for (std::string word; words >> word;) {
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (lines.empty() || text_width(frame.fonts.small, longer) > width)
      lines.push_back(word);
    else
      lines.back() = longer;
  }
  return lines;
}

float column_width(const Frame& frame, const RoleColumn& column) {
  using Kind = RoleColumn::Kind;
  const float width = column.kind == Kind::profile ? 6.2f : column.kind == Kind::positional ? 4.6f : 3.05f;
  // A relation has its whole name, a word to a line at the narrowest.
  float word = 0;
  if (column.kind == Kind::relation || column.kind == Kind::job)
    for (const std::string& line : lines_of(frame, column, 0))
      word = std::max(word, text_width(frame.fonts.small, line));
  return std::round(std::max(width * frame.fonts.text->FontSize, word + 2.5f * frame.unit));
}

// Whether a row of any head shown has it.
bool is_marked(const Frame& frame, const RoleColumn& column) {
  const auto counts = [&](const RoleTable& table) {
    return std::ranges::any_of(table.heads, [&](const RoleMeasures& head) { return rows_of(column, head) > 0; });
  };
  if (!shows_all_roles(frame)) return counts(*roles_of(frame).table);
  // What designs ask is another job in each layer.
  const auto& layers = stack_roles_of(frame).layers;
  if (column.kind == RoleColumn::Kind::job &&
      std::ranges::any_of(layers, [](const auto& layer) { return !layer.table->asked.empty(); }))
    return false;
  return std::ranges::any_of(stack_roles_of(frame).layers, [&](const auto& layer) { return counts(*layer.table); });
}

}  // namespace

bool shows_all_roles(const Frame& frame) { return is_of_all_layers(frame.view.roles.all_layers, frame.trace); }

const RoleTable& shown_roles(const Frame& frame, int layer) {
  return shows_all_roles(frame) ? *nth(stack_roles_of(frame).layers, layer).table : *roles_of(frame).table;
}

const HeadLabel* shown_label(const Frame& frame, const HeadPlace& place) {
  if (!shows_all_roles(frame)) return label_of(frame, place.head);
  return frame.view.guessing ? nullptr : &nth(nth(stack_roles_of(frame).layers, place.layer).labels, place.head);
}

std::vector<std::shared_ptr<const RoleTable>> role_tables_of(const Frame& frame, const Source& source) {
  const bool now = source.stamp() == frame.now.stamp();
  const RolesText text = roles_text(frame);
  std::vector<std::shared_ptr<const RoleTable>> tables;
  if (!shows_all_roles(frame)) {
    const auto known = source.known<RolesMeasure>({frame.view.layer, text});
    if (now ? roles_of(frame).table != nullptr : known && known->table)
      tables.push_back(now ? roles_of(frame).table : known->table);
  } else if (now) {
    for (const StackRoles::OfLayer& layer : stack_roles_of(frame).layers) tables.push_back(layer.table);
  } else if (const auto known = source.known<StackRolesMeasure>({text})) {
    tables.assign(known->tables.begin(), known->tables.end());
  }
  return tables;
}

bool hides(const Frame& frame, const RoleColumn& column) {
  return frame.view.guessing && column.group != RoleGroup::shape;
}

std::vector<ShownRoleGroup> shown_role_groups(const Frame& frame) {
  std::vector<ShownRoleGroup> groups;
  const std::vector<RoleColumn>& all = role_columns();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool by_text = all[k].kind == RoleColumn::Kind::relation || all[k].kind == RoleColumn::Kind::job ||
                         all[k].kind == RoleColumn::Kind::rest || (all[k].number && all[k].number->may_lack);
    if (by_text && !is_marked(frame, all[k])) continue;
    if (groups.empty() || groups.back().group != all[k].group) groups.push_back({all[k].group, {}});
    ShownRoleGroup& group = groups.back();
    const float width = column_width(frame, all[k]);
    group.columns.push_back(
        {&all[k], static_cast<int>(k), group.width, width, lines_of(frame, all[k], width - 2 * frame.unit)});
    group.width += width;
  }
  // What jobs the heads do leads; sizes and shapes follow.
  std::stable_partition(groups.begin(), groups.end(), [](const ShownRoleGroup& group) {
    const RoleColumn::Kind kind = group.columns.front().column->kind;
    return kind == RoleColumn::Kind::relation || kind == RoleColumn::Kind::job;
  });
  return groups;
}

}  // namespace hydra

#include "app/views/roles/roles_rows.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace hydra {

namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_named(const HeadLabel& label) { return label.role.kind != Role::Kind::mixed; }

// "previous token", "mixed", "measuring".
std::string job_of(const HeadLabel& label) { return is_named(label) ? role_name(label.role) : label.name; }

void sort(const StackRoles& roles, const RoleOrder& order, std::vector<HeadPlace>& places) {
  const auto label = [&](const HeadPlace& at) -> const HeadLabel& {
    return nth(nth(roles.layers, at.layer).labels, at.head);
  };
  if (order.column) {
    highest_first(
        nth(role_columns(), *order.column), places, [&](const HeadPlace& at) -> const auto& {
          return nth(nth(roles.layers, at.layer).table->heads, at.head);
        });
  } else if (order.by_role) {
    std::ranges::stable_sort(places, [&](const HeadPlace& a, const HeadPlace& b) {
      const HeadLabel &x = label(a), &y = label(b);
      const std::string job_x = job_of(x), job_y = job_of(y);
      if (is_named(x) != is_named(y)) return is_named(x);
      return job_x != job_y ? job_x < job_y : is_named(x) && x.role.score > y.role.score;
    });
  }
}

}  // namespace

bool is_left(const HeadLabel& label, const HeadPlace& place, const RoleFilter& filter) {
  if (filter.layer && place.layer != *filter.layer) return false;
  if (!filter.role.empty() && job_of(label) != filter.role) return false;
  if (filter.text.empty()) return true;
  const std::string layer = std::to_string(place.layer + 1), head = std::to_string(place.head + 1);
  const bool number = std::isdigit(static_cast<unsigned char>(filter.text.front())) != 0;  // "2.3" is not "12.3"
  const std::string row = " " + layer + "." + head + " layer " + layer + " head " + head + " " + label.full;
  return lower(row).find(lower((number ? " " : "") + filter.text)) != std::string::npos;
}

void renew_rows(const StackRoles& roles, const RoleOrder& order, const RoleFilter& filter, RoleRows& rows) {
  if (rows.version == roles.version && rows.order == order && rows.filter == filter) return;
  const bool same_heads = rows.version == roles.version;
  rows.version = roles.version;
  rows.order = order;
  rows.filter = filter;
  if (!same_heads) rows.text_size = 0;
  rows.places.clear();
  rows.heads = rows.named = 0;
  std::map<std::string, int> jobs;
  for (int layer = 0; layer < int_size(roles.layers); ++layer)
    for (int head = 0; head < int_size(nth(roles.layers, layer).labels); ++head) {
      const HeadLabel& label = nth(nth(roles.layers, layer).labels, head);
      ++rows.heads;
      rows.named += is_named(label);
      ++jobs[job_of(label)];
      if (is_left(label, {layer, head}, filter)) rows.places.push_back({layer, head});
    }
  rows.roles.assign(jobs.begin(), jobs.end());
  sort(roles, order, rows.places);
}

std::optional<HeadPlace> next_row(const RoleRows& rows, const HeadPlace& place, int by) {
  if (rows.places.empty()) return std::nullopt;
  const auto count = int_size(rows.places);
  const auto at = std::ranges::find(rows.places, place);
  if (at == rows.places.end()) return by > 0 ? rows.places.front() : rows.places.back();
  const auto k = static_cast<int>(at - rows.places.begin());
  return nth(rows.places, (k + by + count) % count);
}

}  // namespace hydra

// The rows of the table of all heads of all layers: which heads a filter leaves, in what order. Recomputed when the
// heads, the order or the filter change, not in every frame.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/choices.h"
#include "app/views/roles/roles_columns.h"
#include "app/views/shared/head_roles.h"
#include "core/analysis/likeness/head_place.h"

namespace hydra {

struct RoleOrder {
  std::optional<int> column;  // of role_columns, the highest first, what is not defined last
  bool by_role = false;       // else: jobs by name, mixed last, of each the highest score first
  bool operator==(const RoleOrder&) const = default;
};

struct RoleRows {
  std::uint64_t version = 0;  // of the heads, and all that follows is made of
  RoleOrder order;
  RoleFilter filter;

  std::vector<HeadPlace> places;  // layer after layer where nothing sorts them
  std::vector<std::pair<std::string, int>>
      roles;                             // all jobs that there are before the filter, how many heads have each
  int heads = 0, named = 0;              // before the filter
  float text_size = 0;                   // that the widths are of
  float brief = 0, wider = 0, full = 0;  // of the labels: widest
};

// By the column's value, what is not defined last; measures_of(place) are the head's.
template <class MeasuresOf>
void highest_first(const RoleColumn& column, std::vector<HeadPlace>& places, const MeasuresOf& measures_of) {
  const auto value = [&](const HeadPlace& place) {
    const double number = value_of(column, measures_of(place));
    return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number;
  };
  std::ranges::stable_sort(places, [&](const HeadPlace& a, const HeadPlace& b) { return value(a) > value(b); });
}

bool is_left(const HeadLabel& label, const HeadPlace& place, const RoleFilter& filter);

// The version is that of the heads. Keeps the widths.
void renew_rows(const StackRoles& roles, const RoleOrder& order, const RoleFilter& filter, RoleRows& rows);

// The head before or after that one in the rows, from the last to the first; nothing where there is no row.
std::optional<HeadPlace> next_row(const RoleRows& rows, const HeadPlace& place, int by);

}  // namespace hydra

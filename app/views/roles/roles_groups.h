// The columns of the role table as they stand beside each other: which are shown, how wide, under which lines.
#pragma once
#include "app/views/context.h"
#include "app/views/roles/roles_columns.h"

namespace hydra {

struct ShownRoleColumn {
  const RoleColumn* column;
  int number;                      // among all columns
  float x, width;                  // within its group
  std::vector<std::string> lines;  // over it: of a relation its whole name
};
struct ShownRoleGroup {
  RoleGroup group;
  std::vector<ShownRoleColumn> columns;
  float width = 0;
};

// Relations of which nothing is marked are left out.
std::vector<ShownRoleGroup> shown_role_groups(const Frame& frame);

}  // namespace hydra

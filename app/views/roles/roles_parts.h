// The parts of the table of roles: its columns as they stand beside each other, what a cell shows (a number over its
// bar or a small profile, beside what random heads have), and all of it, in bands under headers that stay in view.
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

// In the rectangle from low to high. best: the head is named after this column.
void draw_role_cell(const Frame& frame, const RoleColumn& column, int head, bool best, ImVec2 low, ImVec2 high);

void draw_role_table(Frame& frame, ImVec2 pos, ImVec2 size);  // where there is a table

}  // namespace hydra

// The parts of the table of roles: its columns as they stand beside each other, what a cell shows (a number over its
// bar or a small profile, beside what random heads have), and all of it, in bands under headers that stay in view.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/roles/roles_columns.h"
#include "app/views/shared/head_roles.h"

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

// Whether the heads of all layers are shown.
bool shows_all_roles(const Frame& frame);
// The table of a layer that is shown, and what its heads are called.
const RoleTable& shown_roles(const Frame& frame, int layer);
const HeadLabel* shown_label(const Frame& frame, const HeadPlace& place);

// Those of another state that are known, in the order of the layers shown; empty: none are.
std::vector<std::shared_ptr<const RoleTable>> role_tables_of(const Frame& frame, const Source& source);

// While the class guesses only the shapes of patterns are told: other numbers say what a head does, or what goes with
// it.
bool hides(const Frame& frame, const RoleColumn& column);

// Relations of which nothing is marked are left out.
std::vector<ShownRoleGroup> shown_role_groups(const Frame& frame);

// In the rectangle from low to high. best: the head is named after this column.
void draw_role_cell(const Frame& frame, const RoleColumn& column, const HeadPlace& place, bool best, ImVec2 low,
                    ImVec2 high);

// Where there is a table. Gives its height with all that would be scrolled to.
float draw_role_table(Frame& frame, ImVec2 pos, ImVec2 size);

// Of the heads of all layers: which are shown, and how many have names beside what chance would name.
void draw_role_filter(Frame& frame);

}  // namespace hydra

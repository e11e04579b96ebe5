// What a cell of the role table shows: a number over its bar, or a small profile, beside what random heads have.
#pragma once
#include "app/views/context.h"
#include "app/views/roles/roles_columns.h"

namespace hydra {

// In the rectangle from low to high. best: the head is named after this column.
void draw_role_cell(const Frame& frame, const RoleColumn& column, int head, bool best, ImVec2 low, ImVec2 high);

}  // namespace hydra

// What is chosen in the Roles view.
#pragma once
#include <optional>
#include <string>

#include "app/views/roles/roles_rows.h"
#include "core/analysis/role_label.h"

namespace hydra {

struct RolesState {
  bool pooled = true;                // over all marked sentences, not over this one
  std::optional<int> sorted;         // by this column of the table, the highest first
  float threshold = kRoleThreshold;  // below it a head is "mixed"

  // In a presentation, where the columns are more than can be seen at once:
  int page = 0;   // which of them are shown; of fewer pages the last
  int pages = 1;  // when it was drawn last

  // Where there are several layers:
  bool all_layers = false;  // the heads of all, not of the one in focus
  bool by_role = false;     // sorted by what they are called, where no column is
  RoleFilter filter;
  RoleRows rows;                         // what is left, in order; made when the view is drawn
  std::optional<HeadPlace> scrolled_to;  // the head in focus that was last brought into view
};

}  // namespace hydra

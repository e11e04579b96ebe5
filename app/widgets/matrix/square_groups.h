// Groups of small squares side by side in a strip: pure arithmetic. All groups have as many rows of squares, so few
// that they fit the strip's width; where no number of rows does, the most, and the strip scrolls.
//
//   1      2      3
//   □ □ □  □      □ □ □
//   □ □    □      □ □ □
#pragma once
#include <imgui.h>

#include <vector>

namespace hydra {

struct SquareGroupsInput {
  std::vector<int> counts;       // squares of each group, at least 1
  float width = 0, height = 0;   // the room for squares
  float least_side = 8;          // of a square
  float least_width = 0;         // of a group: its title's
  float between = 1, apart = 8;  // between squares, between groups
};

struct SquareGroups {
  struct Group {
    float x = 0, width = 0;
    int columns = 1;
  };
  int rows = 1;
  float side = 0, step = 0;  // of a square, from one to the next; whole pixels
  float width = 0;           // of all groups; more than there is room: it scrolls
  std::vector<Group> groups;

  ImVec2 place(int group, int square) const;     // its upper left corner
  int square_at(int group, ImVec2 point) const;  // that the point lies in or next to; may be none of the group's
};

SquareGroups square_groups(const SquareGroupsInput& in);

}  // namespace hydra

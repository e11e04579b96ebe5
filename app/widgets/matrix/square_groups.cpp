#include "app/widgets/matrix/square_groups.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"

namespace hydra {

namespace {

SquareGroups with_rows(const SquareGroupsInput& in, int rows) {
  SquareGroups at;
  at.rows = rows;
  at.side = std::max(1.0f, std::floor((in.height - real(rows - 1) * in.between) / real(rows)));
  at.step = at.side + in.between;
  for (const int count : in.counts) {
    SquareGroups::Group group;
    group.columns = (count + rows - 1) / rows;
    group.x = at.groups.empty() ? 0 : at.width + in.apart;
    group.width = std::max(in.least_width, real(group.columns) * at.step - in.between);
    at.width = group.x + group.width;
    at.groups.push_back(group);
  }
  return at;
}

}  // namespace

ImVec2 SquareGroups::place(int group, int square) const {
  const Group& of = nth(groups, group);
  return {of.x + real(square % of.columns) * step, real(square / of.columns) * step};
}

int SquareGroups::square_at(int group, ImVec2 point) const {
  const Group& of = nth(groups, group);
  const int column = std::clamp(static_cast<int>((point.x - of.x) / step), 0, of.columns - 1);
  const int row = std::clamp(static_cast<int>(point.y / step), 0, rows - 1);
  return row * of.columns + column;
}

SquareGroups square_groups(const SquareGroupsInput& in) {
  SquareGroups at = with_rows(in, 1);
  for (int rows = 2; at.width > in.width; ++rows) {
    SquareGroups next = with_rows(in, rows);
    if (next.side < in.least_side) break;
    at = std::move(next);
  }
  return at;
}

}  // namespace hydra

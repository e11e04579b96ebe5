#include "app/views/roles/roles_layout.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace hydra;

namespace {

RolesInput input(ImVec2 size, int heads, std::vector<float> groups) {
  RolesInput in;
  in.pos = {200, 100};
  in.size = size;
  in.heads = heads;
  in.groups = std::move(groups);
  in.label = 120;
  in.longest = 300;
  return in;
}

const std::vector<float> kGroups{46, 184, 346, 230, 322};  // as in the role table at text size 15

}  // namespace

TEST_CASE("roles layout: every group stands in one band, and bands do not overlap", "[views][roles]") {
  for (const ImVec2 size : {ImVec2{650, 560}, {738, 600}, {985, 800}, {1290, 900}, {300, 200}})
    for (const int heads : {1, 2, 8, 12, 32, 96, 128}) {
      CAPTURE(size.x, size.y, heads);
      const RolesInput in = input(size, heads, kGroups);
      const RolesLayout at = roles_layout(in);
      REQUIRE_FALSE(at.bands.empty());
      int next = 0;
      float free = 0;
      for (const RolesBand& band : at.bands) {
        CHECK(band.first_group == next);
        CHECK(band.groups > 0);
        next += band.groups;
        CHECK(band.top >= free);
        free = band.top + in.header + static_cast<float>(heads) * at.row;
        CHECK((at.sideways || at.label + band.width <= size.x - (at.scrolls ? in.scrollbar : 0)));
      }
      CHECK(next == 5);
      if (!at.scrolls) CHECK(free <= size.y);
      if (size.x >= 600) CHECK_FALSE(at.sideways);
      CHECK(at.label >= in.label);
      CHECK(at.label <= in.longest);
    }
}

TEST_CASE("roles layout: eight heads are seen whole at 1280 x 800, in one band on a wide screen", "[views][roles]") {
  const RolesLayout small = roles_layout(input({738, 600}, 8, kGroups));
  CHECK_FALSE(small.scrolls);
  CHECK(small.bands.size() == 2);
  const RolesLayout wide = roles_layout(input({1500, 900}, 8, kGroups));
  CHECK(wide.bands.size() == 1);
  CHECK(wide.label > 120);  // what is left goes to the labels
  CHECK(roles_layout(input({738, 600}, 96, kGroups)).scrolls);
  CHECK_FALSE(roles_layout(input({1500, 2600}, 96, kGroups)).scrolls);
}

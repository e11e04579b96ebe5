#include "app/widgets/matrix/square_groups.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "app/draw/nth.h"

using namespace hydra;

namespace {

SquareGroupsInput strip(std::vector<int> counts, float width = 720) {
  SquareGroupsInput in;
  in.counts = std::move(counts);
  in.width = width;
  in.height = 30;
  in.least_width = 14;
  return in;
}

}  // namespace

TEST_CASE("square groups: few stand in one row, as high as there is room", "[widgets][square_groups]") {
  const SquareGroups at = square_groups(strip({8, 4}));
  CHECK(at.rows == 1);
  CHECK(at.side == 30);
  CHECK(at.groups[0].columns == 8);
  CHECK(at.groups[0].width == 8 * 31 - 1);
  CHECK(at.groups[1].x == at.groups[0].width + 8);
  CHECK(at.width == at.groups[1].x + at.groups[1].width);
}

TEST_CASE("square groups: more take more rows until they fit, and the fewest that do", "[widgets][square_groups]") {
  const SquareGroupsInput in = strip(std::vector<int>(12, 8));
  const SquareGroups at = square_groups(in);
  CHECK(at.rows == 3);  // of 9 pixels; in two rows of 14 they take 12 * 59 + 11 * 8
  CHECK(at.side == 9);
  CHECK(at.width <= in.width);
}

TEST_CASE("square groups: where no number of rows fits, squares stay as large as the least and the strip scrolls",
          "[widgets][square_groups]") {
  const SquareGroupsInput in = strip(std::vector<int>(48, 16));
  const SquareGroups at = square_groups(in);
  CHECK(at.side >= in.least_side);
  CHECK(at.width > in.width);
}

TEST_CASE("square groups: every square is within its group, none over another, and found where it stands",
          "[widgets][square_groups]") {
  for (const int groups : {1, 2, 5, 12, 48})
    for (const int count : {1, 2, 3, 8, 12, 128})
      for (const float width : {10.0f, 300.0f, 1900.0f}) {
        std::vector<int> counts(static_cast<std::size_t>(groups), count);
        counts.front() = 5;
        const SquareGroupsInput in = strip(counts, width);
        const SquareGroups at = square_groups(in);
        CAPTURE(groups, count, width, at.rows);
        REQUIRE(at.side >= 1);
        CHECK(at.side == std::floor(at.side));
        CHECK(real(at.rows) * at.step - in.between <= in.height);
        for (int g = 0; g < groups; ++g) {
          const SquareGroups::Group& group = nth(at.groups, g);
          if (g > 0) CHECK(group.x >= nth(at.groups, g - 1).x + nth(at.groups, g - 1).width + in.apart);
          for (int k = 0; k < nth(counts, g); ++k) {
            const ImVec2 place = at.place(g, k);
            REQUIRE(place.x >= group.x);
            REQUIRE(place.x + at.side <= group.x + group.width);
            REQUIRE(place.y + at.side <= in.height);
            REQUIRE(at.square_at(g, {place.x + 0.5f * at.side, place.y + 0.5f * at.side}) == k);
          }
        }
      }
}

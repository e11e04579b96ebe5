#include "app/views/heads/heads_layout.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;

namespace {

HeadsInput input(ImVec2 size, int heads, int tokens, float longest, float text) {
  HeadsInput in;
  in.pos = {200, 100};
  in.size = size;
  in.heads = heads;
  in.tokens = tokens;
  in.longest = longest;
  in.text = text;
  in.small = text * 0.85f;
  in.unit = text * 0.27f;
  return in;
}

bool apart(ImVec2 a_min, ImVec2 a_max, ImVec2 b_min, ImVec2 b_max) {
  return a_max.x <= b_min.x || b_max.x <= a_min.x || a_max.y <= b_min.y || b_max.y <= a_min.y;
}

}  // namespace

TEST_CASE("heads layout: nothing overlaps and nothing leaves the view, at any size", "[views][heads_layout]") {
  // Centres of 1280x800, 1600x1000 and 1920x1080 with both panels, and of presentations (text 1.5 times as large).
  const std::pair<ImVec2, float> rooms[] = {{{650, 640}, 15},  {{738, 690}, 15},  {{985, 890}, 15},
                                            {{1290, 970}, 15}, {{1245, 560}, 22}, {{1880, 840}, 22}};
  for (const auto& [size, text] : rooms)
    for (const int heads : {1, 2, 7, 8, 12, 16, 32, 96, 128})
      for (const int tokens : {1, 2, 12, 31, 64, 512, 1024, 4096})
        for (const float longest : {10.0f, 60.0f, 900.0f}) {
          CAPTURE(size.x, size.y, heads, tokens, longest);
          HeadsInput in = input(size, heads, tokens, longest, text);
          in.group = tokens % 2 == 0 && heads % 4 == 0 ? 4 : 1;
          const HeadsLayout at = heads_layout(in);
          const ImVec2 end{in.pos.x + size.x, in.pos.y + size.y};
          const ImVec2 grid_end{at.grid_pos.x + at.grid_size.x, at.grid_pos.y + at.grid_size.y};
          const ImVec2 large_end{at.large.x + at.side, at.large.y + at.side};
          const ImVec2 arcs_end{at.arcs.x + at.arcs_size.x, at.arcs.y + at.arcs_size.y};
          const ImVec2 large_min{at.large.x - at.row_labels, at.title.y};
          REQUIRE(at.side >= std::min(8.0f, 7.0f * tokens) * text - 1);
          REQUIRE(at.arcs_shown);
          REQUIRE(at.arcs_size.x >= 14 * text);
          REQUIRE(apart(at.grid_pos, grid_end, large_min, large_end));
          REQUIRE(apart(at.grid_pos, grid_end, at.arcs_title, arcs_end));
          REQUIRE(apart(large_min, large_end, at.arcs_title, arcs_end));
          for (const ImVec2 corner : {grid_end, large_end, arcs_end}) {
            REQUIRE(corner.x <= end.x + 1 + in.unit);
            REQUIRE(corner.y <= end.y + 1);
          }
          REQUIRE(at.large.x - at.row_labels >= in.pos.x - 1);
          REQUIRE(at.legend.y + in.small <= end.y + 1);
          REQUIRE(at.large.y - at.column_labels >= at.role.y + in.small);  // labels stay below the title and the role
        }
}

TEST_CASE("heads layout: a sink's column stands apart from the pattern, before the arcs", "[views][heads_layout]") {
  for (const ImVec2 size : {ImVec2{650, 640}, {738, 690}, {1290, 970}, {1880, 840}})
    for (const int tokens : {1, 2, 12, 31, 512})
      for (const float longest : {10.0f, 60.0f}) {
        CAPTURE(size.x, size.y, tokens, longest);
        HeadsInput in = input(size, 8, tokens, longest, 15);
        CHECK(heads_layout(in).sink_width == 0);
        in.sink = true;
        const HeadsLayout at = heads_layout(in);
        CHECK(at.sink_width >= 1);
        CHECK(at.sink_width <= at.side + 1);
        CHECK(at.sink_x > at.large.x + at.side);
        CHECK(at.sink_x + at.sink_width <= at.arcs.x);
        CHECK(at.arcs.x + at.arcs_size.x <= in.pos.x + size.x + 1 + in.unit);
        CHECK(at.side >= std::min(6.0f, 5.0f * static_cast<float>(tokens)) * 15);
      }
}

TEST_CASE("heads layout: all heads are seen at once in the usual sizes", "[views][heads_layout]") {
  for (const int heads : {1, 8, 12, 16, 32, 64}) {
    CAPTURE(heads);
    const HeadsLayout at = heads_layout(input({738, 690}, heads, 12, 60, 15));
    CHECK(at.grid_content <= at.grid_size.y);
    const int rows = (heads + at.columns - 1) / at.columns;
    CHECK(static_cast<float>(at.columns) * at.step_x <= 738 + 15);
    CHECK(static_cast<float>(rows) * at.step_y <= at.grid_size.y + 1);
  }
  CHECK(heads_layout(input({738, 690}, 8, 12, 60, 15)).columns == 8);   // in one line
  CHECK(heads_layout(input({738, 690}, 16, 12, 60, 15)).columns == 8);  // in two even ones
}

TEST_CASE("heads layout: the rows of the arcs continue those of a pattern of readable rows", "[views][heads_layout]") {
  const HeadsLayout few = heads_layout(input({985, 890}, 8, 12, 60, 15));
  CHECK(few.arcs.y == few.large.y);
  CHECK(few.arcs_row * 12 == Approx(few.side));
  const HeadsLayout many = heads_layout(input({985, 890}, 8, 200, 60, 15));
  CHECK(many.arcs_row >= 15);  // they scroll instead
}

TEST_CASE("heads layout: cells are whole pixels where that shows", "[views][heads_layout]") {
  const HeadsLayout at = heads_layout(input({985, 890}, 8, 31, 60, 15));
  CHECK(at.side == 31 * std::floor(at.side / 31));
  const HeadsLayout dense = heads_layout(input({985, 890}, 8, 400, 60, 15));
  CHECK(dense.side > 400);  // not floored to one pixel a cell
}

TEST_CASE("heads layout: heads that share keys stand in one row where there is room", "[views][heads_layout]") {
  for (const auto& [size, text] : {std::pair{ImVec2{1245, 560}, 22.0f}, {{650, 640}, 15}, {{985, 890}, 15}})
    for (const int group : {2, 4}) {
      CAPTURE(size.x, group);
      HeadsInput in = input(size, 8, 12, 60, text);
      in.group = group;
      CHECK(heads_layout(in).columns % group == 0);
    }
  HeadsInput low = input({988, 430}, 8, 12, 90, 22);  // of a presentation at 1024x768
  low.group = 4;
  CHECK(4 % heads_layout(low).columns == 0);  // or at least each in rows of its own
}

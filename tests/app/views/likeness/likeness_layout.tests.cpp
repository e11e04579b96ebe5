#include "app/views/likeness/likeness_layout.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;

namespace {

LikenessInput input(ImVec2 size, int heads, int tokens, bool compared, float text) {
  LikenessInput in;
  in.pos = {200, 150};
  in.size = size;
  in.heads = heads;
  in.tokens = tokens;
  in.compared = compared;
  in.longest = 4 * text;
  in.number = heads > 9 ? text : 0.5f * text;
  in.tools = 9.5f * text;
  in.text = text;
  in.small = text * 0.85f;
  in.unit = text * 0.27f;
  return in;
}

struct Box {
  ImVec2 low, high;
};
bool apart(const Box& a, const Box& b) {
  return a.high.x <= b.low.x || b.high.x <= a.low.x || a.high.y <= b.low.y || b.high.y <= a.low.y;
}

// Centres of 1280x800, 1600x1000 and 1920x1080 with both panels, and of presentations (text 1.5 times as large).
const std::pair<ImVec2, float> kRooms[] = {{{736, 610}, 15},  {{965, 820}, 15},  {{1250, 890}, 15},
                                           {{1235, 500}, 22}, {{1555, 700}, 22}, {{1880, 760}, 22}};

}  // namespace

TEST_CASE("likeness layout: nothing overlaps and nothing leaves the view, at any size", "[views][likeness_layout]") {
  for (const auto& [size, text] : kRooms)
    for (const int heads : {1, 2, 3, 8, 12, 16, 32, 48, 96})
      for (const int tokens : {1, 2, 12, 64, 128})
        for (const bool compared : {false, true}) {
          CAPTURE(size.x, size.y, heads, tokens, compared);
          const LikenessInput in = input(size, heads, tokens, compared, text);
          const LikenessLayout at = likeness_layout(in);
          const Box matrix{{at.matrix.x - at.row_labels, at.title.y}, {at.matrix.x + at.side, at.legend + in.small}};
          const Box tree{{at.tree, at.matrix.y}, {at.tree + at.tree_width, at.legend + 2 * in.small}};
          const Box tools{at.tools, {at.tools.x + at.tools_size.x, at.tools.y + at.tools_size.y}};
          std::vector<Box> boxes{matrix, tree, tools};
          if (at.map_shown) boxes.push_back({at.map_title, {at.map.x + at.map_side, at.map.y + at.map_side}});
          if (compared) {
            const LikenessComparison& c = at.comparison;
            REQUIRE(c.side > 4 * text);
            boxes.push_back({c.pos, {c.pos.x + c.size.x, c.pos.y + c.size.y}});
            for (std::size_t k = 0; k < 3; ++k) {
              REQUIRE(c.pictures[k].x - c.row_labels >= (k == 0 ? c.pos.x - 1 : c.pictures[k - 1].x + c.side));
              REQUIRE(c.pictures[k].y - c.column_labels >= c.title + in.text);
              REQUIRE(c.pictures[k].x + c.side <= c.pos.x + c.size.x + 1);
            }
            REQUIRE(c.title >= c.header.y + in.text);
            REQUIRE(c.legend >= c.pictures[0].y + c.side);
            REQUIRE(c.legend + in.small <= c.pos.y + c.size.y + 1);
          }
          for (std::size_t a = 0; a < boxes.size(); ++a) {
            CAPTURE(a);
            REQUIRE(boxes[a].low.x >= in.pos.x - 1);
            REQUIRE(boxes[a].low.y >= in.pos.y - 1);
            REQUIRE(boxes[a].high.x <= in.pos.x + size.x + 1);
            REQUIRE(boxes[a].high.y <= in.pos.y + size.y + 1);
            for (std::size_t b = 0; b < a; ++b) {
              CAPTURE(b);
              REQUIRE(apart(boxes[a], boxes[b]));
            }
          }
          REQUIRE(at.matrix.y - at.column_labels >= at.title.y + in.text);
          REQUIRE(at.side >= std::min({4.0f * text * static_cast<float>(heads), 8.0f * text, 0.2f * size.y}));
        }
}

TEST_CASE("likeness layout: large cells are whole pixels", "[views][likeness_layout]") {
  for (const auto& [size, text] : kRooms)
    for (const int heads : {1, 2, 3, 7, 8, 12, 16}) {
      CAPTURE(size.x, heads);
      const LikenessLayout at = likeness_layout(input(size, heads, 12, false, text));
      const float cell = at.side / static_cast<float>(heads);
      if (cell >= 12) CHECK(cell == std::floor(cell));
    }
}

TEST_CASE("likeness layout: the comparison leaves the matrix most of its size", "[views][likeness_layout]") {
  for (const auto& [size, text] : kRooms) {
    CAPTURE(size.x, size.y);
    const LikenessLayout alone = likeness_layout(input(size, 8, 12, false, text));
    const LikenessLayout beside = likeness_layout(input(size, 8, 12, true, text));
    CHECK(beside.side >= 0.45f * alone.side);
    CHECK(alone.comparison.side == 0);
  }
}

TEST_CASE("likeness layout: the patterns of forty words keep their labels", "[views][likeness_layout]") {
  for (const auto& [size, text] : kRooms) {
    CAPTURE(size.x, size.y);
    const LikenessComparison at = likeness_layout(input(size, 8, 40, true, text)).comparison;
    const bool low = size.y < 20 * 1.5f * text;  // a presentation at 1280x800: the pictures alone have no more room
    CHECK((at.row_labels > 0) == !low);
    CHECK((at.column_labels > 0) == !low);
    CHECK(at.side > 5 * text);
  }
}

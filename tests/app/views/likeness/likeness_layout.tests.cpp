#include "app/views/likeness/likeness_layout.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "app/widgets/plot/label_steps.h"

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

struct Placed {
  ImVec2 low, high;
};
bool apart(const Placed& a, const Placed& b) {
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
          REQUIRE((!at.alone || compared));
          const Placed matrix{{at.matrix.x - at.row_labels, at.title.y}, {at.matrix.x + at.side, at.legend + in.small}};
          const Placed tree{{at.tree, at.matrix.y}, {at.tree + at.tree_width, at.legend + 2 * in.small}};
          const Placed tools{at.tools, {at.tools.x + at.tools_size.x, at.tools.y + at.tools_size.y}};
          std::vector<Placed> boxes;
          if (!at.alone) boxes = {matrix, tree};
          if (at.tools_shown) boxes.push_back(tools);
          if (at.map_shown) boxes.push_back({at.map_title, {at.map.x + at.map_side, at.map.y + at.map_side}});
          if (compared) {
            const LikenessComparison& c = at.comparison;
            REQUIRE(c.side > 3.5f * text);
            boxes.push_back({c.pos, {c.right(), c.bottom()}});
            for (std::size_t k = 0; k < 3; ++k) {
              const float labels = k > 0 && c.shared_rows ? 0 : c.row_labels;
              REQUIRE(c.pictures[k].x - labels >= (k == 0 ? c.pos.x - 1 : c.pictures[k - 1].x + c.side));
              REQUIRE(c.pictures[k].y - c.column_labels >= c.title + in.text);
              REQUIRE(c.pictures[k].x + c.side <= c.pos.x + (c.scrolls ? c.content : c.size.x) + 1);
            }
            REQUIRE(c.title >= c.header.y + in.text);
            REQUIRE(c.legend >= c.pictures[0].y + c.side);
            REQUIRE(c.legend + in.small + (c.scrolls ? in.scrollbar : 0) <= c.bottom() + 1);
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
          if (at.alone) continue;
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
    if (!beside.alone) CHECK(beside.side >= 0.45f * alone.side);
    CHECK(alone.comparison.side == 0);
  }
}

TEST_CASE("likeness layout: the patterns of forty words keep all their labels", "[views][likeness_layout]") {
  for (const auto& [size, text] : kRooms)
    for (const int tokens : {24, 40}) {
      CAPTURE(size.x, size.y, tokens);
      const LikenessComparison at = likeness_layout(input(size, 8, tokens, true, text)).comparison;
      CHECK(at.row_labels > 0);
      CHECK(at.column_labels > 0);
      CHECK(at.side >= static_cast<float>(tokens) * kLeastStep);
      // Where it scrolls, two heads are seen whole beside each other.
      if (at.scrolls) CHECK(at.pictures[1].x + at.side <= at.right());
    }
}

TEST_CASE("likeness layout: the matrix stays where a pair of few words has its labels", "[views][likeness_layout]") {
  for (const auto& [size, text] : kRooms) {
    CAPTURE(size.x, size.y);
    const bool low = size.y < 24 * text;  // a presentation at 1280x800: labels come first
    CHECK(likeness_layout(input(size, 8, 12, true, text)).alone == low);
  }
}

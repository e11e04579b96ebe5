#include "app/views/tradeoff/tradeoff_layout.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <span>

#include "core/measures/sweep.h"
#include "core/weights/config.h"

using namespace hydra;

namespace {

// Centres of 1280x800, 1600x1000 and 1920x1080 with both panels, and of presentations (text 1.5 times as large).
const std::pair<ImVec2, float> kRooms[] = {{{730, 610}, 15},  {{965, 820}, 15},  {{1250, 890}, 15},
                                           {{1235, 480}, 22}, {{1555, 680}, 22}, {{1880, 760}, 22}};

TradeoffInput input(ImVec2 size, float text, const std::vector<Index>& counts) {
  TradeoffInput in;
  in.pos = {200, 150};
  in.size = size;
  for (const Index heads : counts) in.heads.push_back(static_cast<int>(heads));
  in.label = 6.2f * text;
  in.text = text;
  in.large = 1.4f * text;
  in.small = 0.83f * text;
  in.scrollbar = 0.8f * text;
  in.unit = 0.27f * text;
  return in;
}

void check(const TradeoffInput& in) {
  const TradeoffLayout at = tradeoff_layout(in);
  const float right = in.right(), bottom = in.bottom();
  REQUIRE(at.grids.size() == in.heads.size());
  REQUIRE(at.left >= in.pos.x + in.label);
  REQUIRE(at.left + at.width <= right + 1);
  REQUIRE(at.column >= 3.9f * in.text);
  if (!at.scrolls) REQUIRE(at.left + at.content() <= right + 1);
  REQUIRE(at.patterns >= at.header + at.header_height);
  REQUIRE(at.rows >= at.patterns + at.patterns_height);
  REQUIRE(at.row >= in.text + 2 * in.unit);  // a number and its bar
  REQUIRE(at.bottom <= bottom + 1);
  for (std::size_t k = 0; k < at.grids.size(); ++k) {
    const ThumbGrid& grid = at.grids[k];
    const int heads = in.heads[k];
    REQUIRE(grid.side > 0);
    for (const int head : {0, grid.across - 1, heads - 1}) {
      const ImVec2 corner = grid.at(std::min(head, heads - 1));
      REQUIRE(corner.x >= 0);
      REQUIRE(corner.x + grid.side <= at.column + 0.5f);
      REQUIRE(corner.y + grid.side <= at.patterns_height + 0.5f);
    }
    REQUIRE(grid.step_x >= grid.side);
    REQUIRE(grid.step_y >= grid.side + grid.strip);
    REQUIRE(grid.width(heads) <= at.column + 0.5f);
    REQUIRE(grid.height(heads) <= at.patterns_height + 0.5f);
  }
}

}  // namespace

TEST_CASE("trade-off layout: every width of model fits every room", "[views][tradeoff_layout]") {
  for (const auto& [size, text] : kRooms)
    for (Index d_model = 1; d_model <= kMaxModel; ++d_model) {
      CAPTURE(size.x, size.y, d_model);
      check(input(size, text, usual_head_counts(d_model)));
      check(input(size, text, head_counts(d_model)));
    }
}

TEST_CASE("trade-off layout: the usual columns need no scrolling with both panels open", "[views][tradeoff_layout]") {
  for (const auto& [size, text] : kRooms)
    for (const Index d_model : {1, 12, 64, 512, 768}) {
      CAPTURE(size.x, size.y, d_model);
      CHECK_FALSE(tradeoff_layout(input(size, text, usual_head_counts(d_model))).scrolls);
    }
  CHECK(tradeoff_layout(input({730, 610}, 15, head_counts(840))).scrolls);
}

TEST_CASE("trade-off layout: squares fill lines, as large as fit", "[views][tradeoff_layout]") {
  const ThumbGrid one = thumb_grid(1, 100, 300, 4);
  CHECK(one.across == 1);
  CHECK(one.side == 100);
  const ThumbGrid two = thumb_grid(2, 100, 300, 4);
  CHECK(two.across == 1);
  CHECK(two.side == 100);
  const ThumbGrid sixteen = thumb_grid(16, 100, 400, 4);
  CHECK(sixteen.across == 2);
  CHECK(sixteen.at(3).x == sixteen.step_x);
  CHECK(sixteen.at(3).y == sixteen.step_y + sixteen.strip);
  const ThumbGrid square = thumb_grid(16, 200, 210, 4);
  CHECK(square.across == 4);
  CHECK(square.side > 40);
  // More heads never get larger squares by much, and 128 of them still have one each.
  float before = 1000;
  for (int heads = 1; heads <= 128; heads *= 2) {
    const ThumbGrid grid = thumb_grid(heads, 60, 200, 4);
    CHECK(grid.side <= before);
    CHECK(grid.side > 2);
    before = 1.3f * grid.side;
  }
}

TEST_CASE("trade-off layout: rooms too small for anything leave no square negative", "[views][tradeoff_layout]") {
  for (const float side : {0.5f, 1.0f, 3.0f, 10.0f})
    for (const int heads : {1, 7, 128}) {
      const ThumbGrid grid = thumb_grid(heads, side, side, 4);
      CHECK(grid.side > 0);
      CHECK(grid.width(heads) <= std::max(side, 0.1f * static_cast<float>(grid.across)) + 0.5f);
    }
}

TEST_CASE("trade-off layout: the charts of costs stand beside and below each other", "[views][tradeoff_layout]") {
  for (const auto& [size, text] : kRooms) {
    const CostLayout at = cost_layout({200, 150}, size, text, 0.27f * text);
    const Box above[] = {at.weights, at.products, at.memory, at.width}, below[] = {at.before, at.after, at.extremes};
    const auto in_line = [&](std::span<const Box> areas) {
      float x = 199;
      for (const Box& area : areas) {
        CHECK(area.pos.x >= x);
        CHECK(area.size.x >= 8 * text);
        x = area.right();
        CHECK(area.bottom() <= 150 + size.y + 1);
      }
      CHECK(x <= 200 + size.x + 1);
    };
    in_line(above);
    in_line(below);
    CHECK(at.before.pos.y >= at.weights.bottom());
  }
}

// The page "How it is computed" at every size: within its room, nothing over anything else, nothing too small.
#include "app/views/tradeoff/tradeoff_layout.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;

namespace {

bool apart(const Box& a, const Box& b) {
  return a.right() <= b.pos.x + 0.5f || b.right() <= a.pos.x + 0.5f || a.bottom() <= b.pos.y + 0.5f ||
         b.bottom() <= a.pos.y + 0.5f;
}
bool within(const Box& area, ImVec2 pos, ImVec2 size) {
  return area.pos.x >= pos.x - 0.5f && area.pos.y >= pos.y - 0.5f && area.right() <= pos.x + size.x + 0.5f &&
         area.bottom() <= pos.y + size.y + 0.5f;
}

}  // namespace

TEST_CASE("computed layout: charts and words side by side, apart, as low as can be read", "[app][tradeoff]") {
  for (const float width : {300.0f, 600.0f, 742.0f, 1244.0f, 1700.0f})
    for (const float height : {200.0f, 400.0f, 540.0f, 640.0f, 980.0f}) {
      const float text = 15;
      const ImVec2 pos{200, 100}, size{width, height};
      const TimingLayout at = timing_layout(pos, size, text, 4, 1.3f * text);
      CAPTURE(width, height);
      const Box areas[] = {at.bar, at.key, at.time, at.memory, at.words, at.step_time, at.step_memory, at.step_words};
      for (const Box& a : areas) {
        CHECK(within(a, pos, {width, at.bottom - pos.y}));
        for (const Box& b : areas) CHECK((&a == &b || apart(a, b)));
      }
      CHECK(at.time.size.y >= 9 * text);
      CHECK((at.bottom <= pos.y + height || at.time.size.y < 12 * text));  // scrolls only where it must
      if (width >= 700) CHECK(at.time.size.x >= 14 * text);
    }
}

TEST_CASE("computed layout: one product, its slices below it, code and words, each in its place", "[app][tradeoff]") {
  for (const int heads : {1, 2, 8, 128})
    for (const auto& [d_model, concat] : {std::pair{64.0f, 64.0f}, std::pair{4.0f, 1024.0f}, std::pair{1024.0f, 8.0f}})
      for (const ImVec2 size :
           {ImVec2{1244, 490}, ImVec2{742, 620}, ImVec2{1290, 880}, ImVec2{400, 240}, ImVec2{2400, 1300}}) {
        CAPTURE(heads, d_model, concat, size.x);
        const ImVec2 pos{200, 100};
        const ProductLayout at = product_layout({{{pos, size}}, heads, d_model, concat, 90});
        std::vector<Box> areas{at.X, at.W, at.Q, at.code, at.words};
        areas.insert(areas.end(), at.heads.begin(), at.heads.end());
        REQUIRE(at.heads.size() == static_cast<std::size_t>(heads));
        for (const Box& a : areas) {
          CHECK(within(a, pos, {size.x, at.bottom - pos.y}));
          CHECK(a.size.x >= 1);
          CHECK(a.size.y >= 1);
          for (const Box& b : areas) CHECK((&a == &b || apart(a, b)));
        }
        CHECK(at.title >= at.Q.bottom());
        CHECK(at.heads.front().pos.y > at.numbers);
        CHECK((at.bottom <= pos.y + size.y + 1 || size.y < 400));
        // The parts of a picture tile it.
        float right = at.Q.pos.x;
        for (int k = 0; k < heads; ++k) {
          const Box part = part_of(at.Q, k, heads);
          CHECK(part.pos.x == right);
          right = part.right();
        }
        CHECK(right == at.Q.right());
      }
}

TEST_CASE("computed layout: the tiles are square and whole, with room for the numbers", "[app][tradeoff]") {
  for (const int tokens : {1, 2, 12, 50, 1024, 4096})
    for (const ImVec2 size :
         {ImVec2{742, 620}, ImVec2{1244, 500}, ImVec2{980, 850}, ImVec2{1290, 960}, ImVec2{400, 300}})
      for (const float labels : {10.0f, 90.0f, 900.0f}) {
        CAPTURE(tokens, size.x, labels);
        const ImVec2 pos{200, 100};
        const TilesLayout at = tiles_layout({{{pos, size}}, tokens, labels, 2});
        const float side = at.cell * static_cast<float>(tokens);
        const Box grid{at.grid, {side, side}};
        CHECK(at.cell > 0);
        if (at.cell >= 2) CHECK(at.cell == std::floor(at.cell));
        CHECK(within(grid, pos, size));
        CHECK(within(at.bars, pos, size));
        CHECK(at.bars.pos.x == at.grid.x);
        CHECK(at.bars.size.x == side);
        CHECK(apart(grid, at.bars));
        CHECK(apart(grid, at.controls));
        CHECK(apart(grid, at.numbers));
        CHECK(apart(at.controls, at.numbers));
        CHECK(at.controls.right() <= pos.x + size.x + 0.5f);
        CHECK(at.tops <= at.grid.y);
        CHECK(at.left <= at.grid.x);
        if (size.x > 700) CHECK(at.controls.size.x >= 20 * 15);
      }
}

#include "app/views/mixing/mixing_layout.h"

#include <catch2/catch.hpp>

using namespace hydra;

namespace {

MixingInput input(ImVec2 size, float text, int heads, int d_k, int tokens) {
  MixingInput in;
  in.pos = {200, 100};
  in.size = size;
  in.tokens = tokens;
  in.heads = heads;
  in.d_model = in.concat = heads * d_k;
  in.text = text;
  in.small = 0.83f * text;
  in.number = 0.73f * text;
  in.unit = 0.27f * text;
  in.label_width = 5 * text;
  in.number_width = 2.2f * text;
  in.low = is_low(size, text);
  return in;
}

// Centres of 1280x800, 1600x1000 and 1920x1080 with both panels, and of presentations (text 1.5 times as large).
const std::pair<ImVec2, float> kRooms[] = {{{724, 640}, 15},  {{967, 840}, 15},  {{1290, 920}, 15},
                                           {{1244, 540}, 22}, {{1880, 790}, 22}, {{724, 560}, 15}};

bool inside(const Box& box, const MixingInput& in) {
  return box.pos.x >= in.pos.x - 0.5f && box.pos.y >= in.pos.y - 0.5f && box.right() <= in.right() + 0.5f &&
         box.bottom() <= in.bottom() + 0.5f && box.size.x > 0 && box.size.y > 0;
}
bool apart(const Box& a, const Box& b) {
  return a.right() <= b.pos.x || b.right() <= a.pos.x || a.bottom() <= b.pos.y || b.bottom() <= a.pos.y;
}

template <class Check>
void for_all_inputs(const Check& check) {
  for (const auto& [size, text] : kRooms)
    for (const int heads : {1, 2, 7, 8, 12, 32, 96, 128})
      for (const int d_k : {1, 8, 64})
        for (const int tokens : {1, 2, 12, 64, 512})
          for (const int extra : {0, 2}) {
            CAPTURE(size.x, size.y, text, heads, d_k, tokens, extra);
            MixingInput in = input(size, text, heads, d_k, tokens);
            in.extra_parts = extra;
            check(in);
          }
}

}  // namespace

TEST_CASE("mixing layout: the equation, the sum, the reading and the strip never overlap or leave the view",
          "[views][mixing_layout]") {
  for_all_inputs([](const MixingInput& in) {
    const OutputPage at = output_page(in);
    const Box* parts[] = {&at.C,   &at.bands,   &at.W_O,         &at.Y,    &at.sum_title,
                          &at.sum, &at.reading, &at.strip_title, &at.strip};
    for (const Box* part : parts) REQUIRE(inside(*part, in));
    for (const Box* a : parts)
      for (const Box* b : parts)
        if (a != b) REQUIRE(apart(*a, *b));
    REQUIRE(at.W_O.size.x == at.W_O.size.y);
    REQUIRE(at.C.size.x == at.Y.size.x);
    REQUIRE(at.C.pos.y - at.above >= in.pos.y - 0.5f);
  });
}

TEST_CASE("mixing layout: every part of the sum has its place", "[views][mixing_layout]") {
  for_all_inputs([](const MixingInput& in) {
    const OutputPage at = output_page(in);
    const int count = in.heads + 1 + in.extra_parts, rows = (count + at.columns - 1) / at.columns;
    REQUIRE(at.part.x >= 3);
    REQUIRE(at.part.y >= 2);
    REQUIRE(at.step.x >= at.part.x);
    REQUIRE(at.step.y >= at.caption + at.part.y);
    REQUIRE(at.indent + static_cast<float>(at.columns - 1) * at.step.x + at.part.x <= at.sum.size.x + 1);
    REQUIRE(static_cast<float>(rows) * at.step.y <= at.sum.size.y + 1);
  });
}

TEST_CASE("mixing layout: the strip's cells hold their numbers and none covers another", "[views][mixing_layout]") {
  for_all_inputs([](const MixingInput& in) {
    const OutputPage at = output_page(in);
    const int d_k = in.concat / in.heads;
    REQUIRE(at.cell.x >= in.number_width);
    REQUIRE(at.cell.y >= in.number);
    const bool scrolls = at.strip_content > at.strip.size.y + 0.5f;
    const float room = at.strip.size.x - (scrolls ? in.scrollbar : 0);
    ImVec2 before{-1e6f, -1e6f};
    bool apart_and_inside = true;
    for (int h = 0; h < in.heads; ++h)
      for (int a = 0; a < d_k; ++a) {
        const ImVec2 pos = strip_cell(at, h, a);
        const bool behind = pos.y == before.y && pos.x >= before.x + at.cell.x, below = pos.y >= before.y + at.cell.y;
        apart_and_inside = apart_and_inside && (behind || below) && pos.x >= at.strip_label &&
                           pos.x + at.cell.x <= room + 0.5f && pos.y + at.cell.y <= at.strip_content;
        before = pos;
      }
    REQUIRE(apart_and_inside);
  });
}

TEST_CASE("mixing layout: gates, shares, curve and directions never overlap or leave the view",
          "[views][mixing_layout]") {
  for_all_inputs([](const MixingInput& in) {
    const SharesPage at = shares_page(in);
    const Box* upper[] = {&at.table_title, &at.gates, &at.table, &at.bars_title, &at.bars};
    const Box* lower[] = {&at.curve_title, &at.curve, &at.directions_title, &at.directions};
    const auto check = [&](const Box* a, const Box* b) {
      if (a != b) REQUIRE(apart(*a, *b));
    };
    for (const Box* a : upper) {
      REQUIRE(inside(*a, in));
      for (const Box* b : upper) check(a, b);
      if (!in.low)
        for (const Box* b : lower) check(a, b);
    }
    for (const Box* a : lower) {
      REQUIRE(inside(*a, in));
      for (const Box* b : lower) check(a, b);
    }
    REQUIRE(at.directions.size.x == at.directions.size.y);
    REQUIRE(at.directions.size.y >= 8 * in.text);
    REQUIRE(at.curve.size.y >= 9 * in.text);
    REQUIRE(at.table.size.y >= std::min(at.table_content, at.header + 4 * at.row) - 1);
    REQUIRE(at.directions.bottom() + 1.5f * in.unit + in.small <= in.bottom() + 0.5f);
  });
}

TEST_CASE("mixing layout: eight heads of eight numbers are seen whole in the usual sizes", "[views][mixing_layout]") {
  for (const ImVec2 size : {ImVec2{724, 640}, ImVec2{967, 840}, ImVec2{1290, 920}}) {
    const MixingInput in = input(size, 15, 8, 8, 12);
    CHECK_FALSE(in.low);
    CHECK(output_page(in).strip_content <= output_page(in).strip.size.y + 0.5f);
    CHECK(shares_page(in).table_content <= shares_page(in).table.size.y + 0.5f);
    CHECK(shares_page(in).bars_content <= shares_page(in).bars.size.y + 0.5f);
  }
}

TEST_CASE("mixing layout: in a presentation the equation's pictures are the largest, and the sum's use the room",
          "[views][mixing_layout]") {
  for (const int heads : {2, 8, 32}) {
    const MixingInput in = input({1244, 515}, 20, heads, 64 / heads, 12);
    const OutputPage at = output_page(in);
    CAPTURE(heads, at.W_O.size.x, at.part.x, at.part.y);
    CHECK(at.W_O.size.y >= 0.33f * in.size.y);
    CHECK(at.C.size.y == at.W_O.size.y);
    CHECK(at.sum.bottom() >= at.reading.pos.y);
    CHECK(at.strip.size.y + 0.5f >= std::min(at.strip_content, 2 * at.line));
    if (heads == 8) CHECK(at.part.y >= 3 * in.text);
  }
  const MixingInput large = input({1880, 790}, 20, 8, 8, 12);
  CHECK(output_page(large).strip_content <= output_page(large).strip.size.y + 0.5f);
}

TEST_CASE("mixing layout: what stands under the equation is under C where that is higher than W_O",
          "[views][mixing_layout]") {
  for (const ImVec2 size : {ImVec2{724, 640}, ImVec2{1244, 515}}) {
    MixingInput in = input(size, 15, 2, 8, 12);
    in.d_model = 64;
    const OutputPage at = output_page(in);
    CHECK(at.C.bottom() > at.W_O.bottom());
    for (const Box* part : {&at.reading, &at.sum, &at.sum_title, &at.strip}) CHECK(apart(at.C, *part));
  }
}

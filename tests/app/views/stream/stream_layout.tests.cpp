#include "app/views/stream/stream_layout.h"

#include <catch2/catch.hpp>

using namespace hydra;

namespace {

StreamInput input(ImVec2 size, float text, int tokens, int layers, int lines, bool features) {
  StreamInput in;
  in.pos = {200, 100};
  in.size = size;
  in.tokens = tokens;
  in.layers = layers;
  in.lines = lines;
  in.features = features;
  in.text = text;
  in.small = 0.83f * text;
  in.unit = 0.27f * text;
  in.word = 5 * text;
  in.name = 7 * text;
  in.number = 3 * text;
  return in;
}

// Centres of 1280x800, 1600x1000 and 1920x1080 with one panel and two, and of presentations (text 1.5 times as large).
const std::pair<ImVec2, float> kRooms[] = {{{724, 600}, 15},  {{1060, 600}, 15}, {{967, 800}, 15}, {{1290, 880}, 15},
                                           {{1244, 500}, 22}, {{1880, 750}, 22}, {{724, 400}, 15}};

bool within(const Box& box, const Box& room) {
  return box.pos.x >= room.pos.x - 0.5f && box.pos.y >= room.pos.y - 0.5f && box.right() <= room.right() + 0.5f &&
         box.bottom() <= room.bottom() + 0.5f && box.size.x > 0 && box.size.y > 0;
}
bool apart(const Box& a, const Box& b) {
  return a.right() <= b.pos.x + 0.01f || b.right() <= a.pos.x + 0.01f || a.bottom() <= b.pos.y + 0.01f ||
         b.bottom() <= a.pos.y + 0.01f;
}

template <class Check>
void for_all_inputs(const Check& check) {
  for (const auto& [size, text] : kRooms)
    for (const int tokens : {1, 2, 12, 64, 1024, 4096})
      for (const int layers : {1, 2, 12, 48})
        for (const int lines : {4, 12, 60, 600})
          for (const bool features : {false, true}) {
            for (const float next_word : {0.0f, 2 * text, 9 * text}) {
              CAPTURE(size.x, size.y, text, tokens, layers, lines, features, next_word);
              StreamInput in = input(size, text, tokens, layers, lines, features);
              in.next_word = next_word;
              check(in);
            }
          }
}

}  // namespace

TEST_CASE("stream layout: no part overlaps another or leaves the view", "[views][stream_layout]") {
  for_all_inputs([](const StreamInput& in) {
    const StreamLayout at = stream_layout(in);
    const Box* parts[] = {&at.grid_title, &at.numbers, &at.grid, &at.legends, &at.ladder_title, &at.head, &at.ladder};
    for (const Box* part : parts) REQUIRE(within(*part, in));
    for (const Box* a : parts)
      for (const Box* b : parts)
        if (a != b) REQUIRE(apart(*a, *b));
  });
}

TEST_CASE("stream layout: all layers fit into the grid, each over what it adds", "[views][stream_layout]") {
  for_all_inputs([](const StreamInput& in) {
    const StreamLayout at = stream_layout(in);
    const Box content{{0, 0}, {at.content, at.grid.size.y}};
    for (int k = 0; k <= in.layers; ++k)
      for (const int t : {0, in.tokens - 1}) {
        REQUIRE(within(strip_box(at, in.layers, k, t), content));
        if (k == 0) continue;
        const Box bars = bars_box(at, in.layers, k, t), below = strip_box(at, in.layers, k - 1, t);
        REQUIRE(bars.size.y >= 0);
        REQUIRE(bars.bottom() == Approx(below.pos.y));
        REQUIRE(strip_box(at, in.layers, k, t).bottom() <= below.pos.y + 0.01f);
      }
    REQUIRE((at.next > 0) == (in.next_word > 0));
    if (at.next > 0) {
      const Box next = next_box(at, in.tokens - 1), strip = next_strip_box(at, in.tokens - 1);
      REQUIRE(within(next, content));
      REQUIRE(within(strip, next));
      REQUIRE(next.pos.y == Approx(at.words));
      REQUIRE(next.bottom() <= strip_box(at, in.layers, in.layers, 0).pos.y + 0.01f);
      REQUIRE(strip.pos.y - next.pos.y >= in.small);  // for the words over it
    }
    REQUIRE(at.cell.x >= in.small);
    REQUIRE((at.content <= at.grid.size.x + 0.5f || in.tokens > 12));
  });
}

TEST_CASE("stream layout: the columns of a line stand apart within it, the picture among them",
          "[views][stream_layout]") {
  for_all_inputs([](const StreamInput& in) {
    const StreamLayout at = stream_layout(in);
    const Box line{{0, 0}, {at.ladder.size.x, at.line}};
    const Box* columns[] = {&at.name, &at.picture, &at.size, &at.share, &at.cosine, &at.features};
    REQUIRE(at.picture.size.x >= 5 * in.small);
    REQUIRE(at.picture.size.y >= in.small);
    for (const Box* a : columns) {
      if (a->size.x <= 0) continue;
      REQUIRE(within(*a, line));
      for (const Box* b : columns)
        if (a != b && b->size.x > 0) REQUIRE(apart(*a, *b));
    }
    REQUIRE((at.features.size.x > 0) == in.features);  // how small the view may be
  });
}

TEST_CASE("stream layout: words under a picture are nearer to it than to the next line", "[views][stream_layout]") {
  for_all_inputs([](const StreamInput& in) {
    const StreamLayout at = stream_layout(in);
    if (!in.features || at.features.pos.y == 0) return;
    REQUIRE(at.features.size.y >= in.small);
    REQUIRE(at.line - at.features.bottom() > at.features.pos.y - at.picture.bottom() + 0.5f * in.unit);
  });
}

TEST_CASE("stream layout: few lines fill the room, many scroll without one being cut", "[views][stream_layout]") {
  for_all_inputs([](const StreamInput& in) {
    const StreamLayout at = stream_layout(in);
    const float whole = at.line * static_cast<float>(in.lines), shown = at.ladder.size.y / at.line;
    if (whole > at.ladder.size.y + 0.5f) REQUIRE(shown == Approx(std::round(shown)));
    if (in.lines <= 4) REQUIRE(whole <= at.ladder.size.y + 0.5f);
  });
}

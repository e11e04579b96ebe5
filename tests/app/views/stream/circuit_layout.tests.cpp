#include "app/views/stream/circuit_layout.h"

#include <catch2/catch.hpp>

using namespace hydra;

namespace {

// Centres of 1280x800, 1600x1000 and 1920x1080 with one panel and two, and of presentations (text 1.5 times as large).
const std::pair<ImVec2, float> kPlaces[] = {{{724, 540}, 15},  {{1060, 540}, 15}, {{967, 740}, 15}, {{1290, 820}, 15},
                                            {{1244, 440}, 22}, {{1880, 690}, 22}, {{724, 350}, 15}};

template <class Check>
void for_all_circuits(const Check& check) {
  for (const auto& [size, text] : kPlaces)
    for (const int layers : {2, 3, 12, 48})
      for (const int heads : {1, 2, 12, 128})
        for (const int lines : {0, 1, 300}) {
          CircuitInput in;
          in.pos = {200, 100};
          in.size = size;
          in.text = text;
          in.small = 0.83f * text;
          in.unit = 0.27f * text;
          in.layers = layers;
          in.heads = heads;
          in.lines = lines;
          in.column = 6 * text;
          CAPTURE(size.x, size.y, text, layers, heads, lines);
          check(in, circuit_layout(in));
        }
}

bool inside(const Box& box, const Box& room) {
  return box.pos.x >= room.pos.x - 0.5f && box.pos.y >= room.pos.y - 0.5f && box.right() <= room.right() + 0.5f &&
         box.bottom() <= room.bottom() + 0.5f && box.size.x > 0 && box.size.y > 0;
}
bool clear(const Box& a, const Box& b) {
  return a.right() <= b.pos.x + 0.01f || b.right() <= a.pos.x + 0.01f || a.bottom() <= b.pos.y + 0.01f ||
         b.bottom() <= a.pos.y + 0.01f;
}

}  // namespace

TEST_CASE("circuit layout: no part overlaps another or leaves the view", "[views][circuit_layout]") {
  for_all_circuits([](const CircuitInput& in, const CircuitLayout& at) {
    Box product{{at.product.x - at.row_labels, at.product.y - at.column_labels},
                {at.row_labels + at.side, at.column_labels + at.side}};
    std::vector<Box> parts{at.graph_title, at.numbers, at.graph, at.key, at.list_title, at.list};
    if (at.side > 0) parts.insert(parts.end(), {at.product_title, at.product_words, product});
    for (std::size_t a = 0; a < parts.size(); ++a) {
      REQUIRE(inside(parts[a], in));
      for (std::size_t b = 0; b < a; ++b) REQUIRE(clear(parts[a], parts[b]));
    }
  });
}

TEST_CASE("circuit layout: every head stands in the graph, layers up, apart from its neighbours",
          "[views][circuit_layout]") {
  for_all_circuits([](const CircuitInput& in, const CircuitLayout& at) {
    for (const int k : {0, in.layers - 1})
      for (const int h : {0, in.heads - 1}) {
        const ImVec2 m = head_middle(at, k, h, in.heads);
        REQUIRE(inside({{m.x - 0.5f * at.node.x, m.y - 0.5f * at.node.y}, at.node}, at.graph));
      }
    REQUIRE(head_middle(at, 0, 0, in.heads).y - head_middle(at, 1, 0, in.heads).y > 1.5f * at.node.y);
    if (in.heads > 1)
      REQUIRE(head_middle(at, 0, 1, in.heads).x - head_middle(at, 0, 0, in.heads).x >= at.node.x + 0.5f);
  });
}

TEST_CASE("circuit layout: an ordinary window has room for the list and for the product", "[views][circuit_layout]") {
  for_all_circuits([](const CircuitInput& in, const CircuitLayout& at) {
    if (in.size.y < 500 || in.text > 15) return;
    REQUIRE(at.side >= 10 * in.text);
    if (in.lines >= 8) REQUIRE(at.listed >= 5);
    REQUIRE(at.listed <= in.lines);
  });
}

TEST_CASE("circuit layout: a line over a layer passes between its heads, and is not taken for two",
          "[views][circuit_layout]") {
  for_all_circuits([](const CircuitInput& in, const CircuitLayout& at) {
    if (in.layers > 12 || in.heads > 12 || in.lines != 1) return;
    const std::vector<int> heads(static_cast<std::size_t>(in.layers), in.heads);
    const auto hides = [&](ImVec2 point, int to) {
      for (int layer = 1; layer < to; ++layer)
        for (int head = 0; head < in.heads; ++head) {
          const ImVec2 m = head_middle(at, layer, head, in.heads);
          if (std::abs(point.x - m.x) <= 0.5f * at.node.x && std::abs(point.y - m.y) <= 0.5f * at.node.y) return true;
        }
      return false;
    };
    for (int to = 1; to < in.layers; ++to)
      for (int from_head = 0; from_head < in.heads; ++from_head)
        for (int to_head = 0; to_head < in.heads; ++to_head)
          for (const float aside : {-0.33f, 0.0f, 0.33f}) {
            CAPTURE(to, from_head, to_head, aside);
            const float port = aside * at.node.x;
            const std::vector<ImVec2> points = circuit_curve(at, heads, {0, from_head}, {to, to_head}, port);
            const ImVec2 end = head_middle(at, to, to_head, in.heads);
            REQUIRE(points.back().x == Approx(end.x + port));
            REQUIRE(points.back().y == Approx(end.y + 0.5f * at.node.y));
            bool hidden = false;
            for (std::size_t k = 1; k < points.size(); ++k)
              for (const float part : {0.0f, 0.25f, 0.5f, 0.75f}) {
                const ImVec2 p = points[k - 1], q = points[k];
                hidden = hidden || hides({p.x + part * (q.x - p.x), p.y + part * (q.y - p.y)}, to);
              }
            REQUIRE_FALSE(hidden);
          }
  });
}

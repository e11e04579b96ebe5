#include "app/views/flow/flow_layout.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "app/widgets/label_steps.h"

using namespace hydra;

namespace {

struct Named {
  std::string name;
  Box box;
};

std::vector<Named> boxes(const FlowLayout& f) {
  std::vector<Named> all{{"X", f.X}, {"Q", f.P[0]}, {"K", f.P[1]}, {"V", f.P[2]},
                         {"S", f.S}, {"A", f.A},    {"O", f.O},    {"strip", f.strip}};
  const auto add = [&](bool shown, std::vector<Named> more) {
    if (shown) all.insert(all.end(), more.begin(), more.end());
  };
  add(f.operands, {{"W_Q", f.W[0]}, {"W_K", f.W[1]}, {"W_V", f.W[2]}, {"KT", f.KT}, {"V above", f.V}});
  add(f.mixed, {{"C", f.C}, {"W_O", f.W_O}, {"Y", f.Y}});
  return all;
}

bool overlap(const Box& a, const Box& b) {
  return a.pos.x < b.right() && b.pos.x < a.right() && a.pos.y < b.bottom() && b.pos.y < a.bottom();
}

FlowInput input(float width, float height, float scale, float n, float d_model, int heads) {
  FlowInput in{};
  in.pos = {12, 60};
  in.size = {width, height};
  in.n = n;
  in.d_model = d_model;
  in.heads = heads;
  in.d_k = d_model / static_cast<float>(heads);
  in.label_width = 70 * scale;
  in.title = 21 * scale;
  in.small = 12.5f * scale;
  in.unit = 4 * scale;
  in.formula = 82 * scale;
  in.large = 21 * scale;
  in.presentation = scale > 1;
  return in;
}

}  // namespace

TEST_CASE("flow layout: pictures neither overlap nor leave the view, at every size", "[app][flow]") {
  struct Window {
    float width, height, scale;
  };
  const Window windows[] = {{680, 690, 1},     {900, 880, 1},      {1230, 960, 1},
                            {1260, 700, 1.5f}, {1260, 600, 1.65f}, {1900, 950, 1.5f}};
  for (const Window& w : windows) {
    for (const float n : {1.0f, 2.0f, 12.0f, 40.0f, 300.0f, 1024.0f}) {
      for (const auto& [d_model, heads] : {std::pair{8.0f, 8}, {64.0f, 8}, {64.0f, 1}, {512.0f, 8}, {512.0f, 128}}) {
        const FlowInput in = input(w.width, w.height, w.scale, n, d_model, heads);
        const std::vector<Named> all = boxes(flow_layout(in));
        INFO("view " << w.width << " x " << w.height << ", scale " << w.scale << ", n " << n << ", d_model " << d_model
                     << ", heads " << heads);
        for (std::size_t a = 0; a < all.size(); ++a) {
          INFO(all[a].name);
          CHECK(all[a].box.size.x > 4);
          CHECK(all[a].box.size.y > 4);
          CHECK(all[a].box.pos.x >= in.pos.x - 0.5f);
          CHECK(all[a].box.pos.y >= in.pos.y - 0.5f);
          CHECK(all[a].box.right() <= in.right() + 0.5f);
          CHECK(all[a].box.bottom() <= in.bottom() + 0.5f);
          for (std::size_t b = a + 1; b < all.size(); ++b) {
            INFO(all[b].name);
            CHECK_FALSE(overlap(all[a].box, all[b].box));
          }
        }
      }
    }
  }
}

TEST_CASE("flow layout: a token is the same row in X, Q, K, V, scores, attention and output", "[app][flow]") {
  const FlowLayout f = flow_layout(input(900, 880, 1, 12, 64, 8));
  for (const Box& box : {f.P[0], f.P[1], f.P[2], f.S, f.A, f.O}) {
    CHECK(box.pos.y == f.X.pos.y);
    CHECK(box.size.y == f.X.size.y);
  }
  CHECK(f.KT.pos.x == f.S.pos.x);
  CHECK(f.KT.size.x == f.S.size.x);
}

TEST_CASE("flow layout: in a presentation at 1280x800 every token has its name", "[app][flow]") {
  for (const float n : {6.0f, 12.0f, 20.0f, 30.0f, 40.0f}) {
    INFO("n " << n);
    const FlowInput in = input(1244, 600, 1.5f, n, 64, 8);
    const FlowLayout f = flow_layout(in);
    CHECK(f.S.size.x / n >= kLeastStep);
    CHECK(f.strip.size.y >= 4 * in.small);                    // heads are seen, not hinted at
    CHECK(f.header.right() < f.A.pos.x);                      // beside A's title and labels
    CHECK(f.header.bottom() <= f.X.pos.y - in.title + 0.5f);  // over all others'
    CHECK(f.header.size.y >= in.large + in.small);
    if (n == 12) CHECK(f.mixed);
    if (n == 12) CHECK(f.P[0].size.x + 2 * in.unit >= in.formula);  // titles are whole
  }
}

TEST_CASE("flow layout: a mask is painted in a presentation on cells that can be hit", "[app][flow]") {
  for (const float n : {5.f, 12.f, 16.f}) {
    FlowInput in = input(1244, 530, 1.5f, n, 64, 8);
    const float before = flow_layout(in).A.size.x;
    in.painting = true;
    CAPTURE(n, before);
    CHECK(flow_layout(in).A.size.x >= before);
    CHECK(flow_layout(in).A.size.x / n >= 14);
  }
}

TEST_CASE("flow layout: outside a presentation the whole formula is there", "[app][flow]") {
  for (const float n : {12.0f, 40.0f}) {
    const FlowLayout f = flow_layout(input(680, 690, 1, n, 64, 8));
    CHECK(f.operands);
    CHECK(f.mixed);
  }
}

TEST_CASE("tile_squares: all tiles fit, and no other arrangement has larger ones", "[app][flow]") {
  for (const int count : {1, 2, 8, 96, 128}) {
    const ImVec2 size{700, 110};
    const float gap = 10;
    const Tiling t = tile_squares(size, count, gap);
    const int rows = (count + t.columns - 1) / t.columns;
    CHECK(static_cast<float>(t.columns) * (t.side + gap) - gap <= size.x);
    CHECK(static_cast<float>(rows) * (t.side + gap) - gap <= size.y);
    for (int columns = 1; columns <= count; ++columns) {
      const auto c = static_cast<float>(columns), r = static_cast<float>((count + columns - 1) / columns);
      const float larger = t.side + 1;
      CHECK_FALSE((c * (larger + gap) - gap <= size.x && r * (larger + gap) - gap <= size.y));
    }
  }
}

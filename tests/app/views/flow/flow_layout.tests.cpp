#include "app/views/flow/flow_layout.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "app/views/flow/flow_block.h"
#include "app/widgets/plot/label_steps.h"

using namespace hydra;

namespace {

struct Named {
  std::string name;
  Box box;
};

std::vector<Named> boxes(const FlowLayout& f) {
  std::vector<Named> all;
  for (const FlowRow& row : f.rows) {
    if (row.kind == FlowRow::Kind::strip) all.push_back({"strip", row.box});
    for (const FlowPlace& place : row.places) all.push_back({entry_of(place.quantity).letter, place.box});
  }
  return all;
}

const Box& of_head(const FlowLayout& f, Quantity quantity) { return f.of(FlowRow::Kind::head, quantity); }

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

// What a layer has around its heads with everything on that takes room.
std::vector<FlowStage> whole_block() {
  LayerSettings settings;
  settings.residual = settings.norm = settings.feed_forward = true;
  return flow_stages(settings);
}

}  // namespace

TEST_CASE("flow layout: pictures neither overlap nor leave the view, at every size", "[app][flow]") {
  struct Window {
    float width, height, scale;
  };
  const Window windows[] = {{680, 690, 1},      {900, 880, 1},     {1230, 960, 1},   {1260, 700, 1.5f},
                            {1260, 600, 1.65f}, {1900, 950, 1.5f}, {1244, 480, 1.5f}};
  for (const Window& w : windows) {
    for (const float n : {1.0f, 2.0f, 12.0f, 40.0f, 300.0f, 1024.0f, 4096.0f}) {
      for (const auto& [d_model, heads] : {std::pair{8.0f, 8}, {64.0f, 8}, {64.0f, 1}, {512.0f, 8}, {512.0f, 128}}) {
        for (const int with : {0, 1, 2, 3, 4, 5, 6}) {
          FlowInput in = input(w.width, w.height, w.scale, n, d_model, heads);
          if (with == 1 || with == 3) in.stages = whole_block();
          if (with >= 2) in.query = Quantity::rotated_Q, in.key = Quantity::rotated_K, in.gates = Quantity::output_gate;
          if (with == 4) in.beside = {Quantity::own_scores, Quantity::P_L, Quantity::own_attention, Quantity::P_W};
          if (with == 5) in.normed = true;
          if (with == 6) in.dropped = true, in.gates.reset();
          if (with == 5)
            in.beside = {Quantity::scores_2, Quantity::own_attention, Quantity::lambda, Quantity::attention_2,
                         Quantity::attention};
          const std::vector<Named> all = boxes(flow_layout(in));
          INFO("with " << with);
          INFO("view " << w.width << " x " << w.height << ", scale " << w.scale << ", n " << n << ", d_model "
                       << d_model << ", heads " << heads);
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
}

TEST_CASE("flow layout: a plain layer has no row of stages, and a block's are in order", "[app][flow]") {
  CHECK(flow_stages({}).empty());
  std::vector<Quantity> shown;
  for (const FlowStage& stage : whole_block()) shown.push_back(stage.quantity);
  using enum Quantity;
  CHECK(shown == std::vector{X, norm_1, Y, stream_1, norm_2, hidden, feed_forward, stream});
  FlowInput in = input(900, 880, 1, 12, 64, 8);
  CHECK_FALSE(flow_layout(in).has(FlowRow::Kind::block));
  in.stages = whole_block();
  CHECK(flow_layout(in).row(FlowRow::Kind::block)->places.size() == shown.size());
}

TEST_CASE("flow layout: a token is the same row in X, Q, K, V, scores, attention and output", "[app][flow]") {
  const FlowLayout f = flow_layout(input(900, 880, 1, 12, 64, 8));
  for (const FlowPlace& place : f.row(FlowRow::Kind::head)->places) {
    CHECK(place.box.pos.y == of_head(f, Quantity::X).pos.y);
    CHECK(place.box.size.y == of_head(f, Quantity::X).size.y);
  }
  const Box &keys = f.of(FlowRow::Kind::operands, Quantity::K), &scores = of_head(f, Quantity::scores);
  CHECK(keys.pos.x == scores.pos.x);
  CHECK(keys.size.x == scores.size.x);
}

TEST_CASE("flow layout: in a presentation at 1280x800 C, W_O and Y stay, and words have their names while they can",
          "[app][flow]") {
  for (const auto& [n, high] :
       {std::pair{6.0f, 600.0f}, {12.0f, 600.0f}, {12.0f, 520.0f}, {20.0f, 600.0f}, {30.0f, 600.0f}, {40.0f, 600.0f}}) {
    CAPTURE(n, high);
    const FlowInput in = input(1244, high, 1.5f, n, 64, 8);
    const FlowLayout f = flow_layout(in);
    if (n <= 20) CHECK(of_head(f, Quantity::scores).size.x / n >= kLeastStep);
    CHECK(f.has(FlowRow::Kind::mixing));
    CHECK(f.row(FlowRow::Kind::strip)->box.size.y >= 3 * in.small);               // heads are seen, not hinted at
    CHECK(f.header.right() < of_head(f, Quantity::attention).pos.x);              // beside A's title and labels
    CHECK(f.header.bottom() <= of_head(f, Quantity::X).pos.y - in.title + 0.5f);  // over all others'
    CHECK(f.header.size.y >= in.large + in.small);
    if (f.worded) continue;  // what is done stands over the arrows
    if (n == 12) CHECK(of_head(f, Quantity::Q).size.x + 2 * in.unit >= in.formula);  // titles are whole
  }
}

TEST_CASE("flow layout: in a presentation at 1280x800 what a head is made with is there, in the room of the labels",
          "[app][flow]") {
  const FlowInput in = input(1244, 500, 1.5f, 12, 64, 4);
  const FlowLayout f = flow_layout(in);
  REQUIRE(f.has(FlowRow::Kind::operands));
  CHECK_FALSE(f.worded);
  CHECK(f.low);
  for (const Quantity weights : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::K, Quantity::V}) {
    const Box& box = f.of(FlowRow::Kind::operands, weights);
    CHECK(box.size.y >= 3 * in.small);
    CHECK(box.bottom() + in.title <= of_head(f, Quantity::X).pos.y);  // the title of what is under it stands between
  }
  CHECK(f.header.right() <= f.of(FlowRow::Kind::operands, Quantity::W_Q).pos.x);
}

TEST_CASE("flow layout: many stages around the heads stand in two rows on their page, each titled", "[app][flow]") {
  FlowInput in = input(1244, 600, 1.5f, 12, 64, 4);
  in.stages = whole_block();
  in.around = true;
  in.pages = 30;
  const FlowLayout f = flow_layout(in);
  std::vector<Quantity> shown;
  std::vector<std::size_t> arrows;
  for (const FlowRow& row : f.rows) {
    arrows.push_back(row.operators.size());
    for (const FlowPlace& place : row.places) {
      shown.push_back(place.quantity);
      CHECK(place.box.right() + place.title <= in.right() + 0.5f);
      CHECK(place.box.bottom() <= in.bottom());
    }
  }
  using enum Quantity;
  CHECK(shown == std::vector{X, norm_1, Y, stream_1, norm_2, hidden, feed_forward, stream});
  CHECK(arrows == std::vector<std::size_t>{3, 4});  // the second begins with the one that leads to it
}

TEST_CASE("flow layout: what is read out leaves the heads their room, or goes", "[app][flow]") {
  const auto stages = whole_block();
  for (const auto& size : {ImVec2{1244, 600}, ImVec2{560, 560}, ImVec2{740, 680}, ImVec2{1244, 430}}) {
    for (const float scale : {1.0f, 1.5f}) {
      FlowInput in = input(size.x, size.y, scale, 14, 64, 4);
      in.presentation = scale > 1;
      in.stages = {stages.front(), stages[2], stages.back()};  // a residual sum alone
      in.out = in.stages;
      INFO(size.x << " x " << size.y << ", " << scale);
      const FlowLayout f = flow_layout(in);
      const Box& strip = f.row(FlowRow::Kind::strip)->box;
      for (const FlowRow& row : f.rows) {
        if (row.kind == FlowRow::Kind::operands || row.kind == FlowRow::Kind::head) continue;
        if (row.kind == FlowRow::Kind::strip) continue;
        const ImVec2 first = row.places.front().box.pos;
        CHECK((first.y >= strip.bottom() || (row.kind == FlowRow::Kind::mixing && first.x >= strip.right())));
        for (const FlowPlace& place : row.places) CHECK(place.box.bottom() <= in.bottom() + 0.5f);
      }
      // What goes has the other page, which has all of it.
      CHECK(f.parted == !(f.has(FlowRow::Kind::out) && f.has(FlowRow::Kind::block)));
      if (size.x > 1000 && size.y > 500) CHECK(f.has(FlowRow::Kind::mixing));
      in.around = true;
      in.pages = 30 * scale;
      const FlowLayout other = flow_layout(in);
      REQUIRE(other.has(FlowRow::Kind::out));
      REQUIRE(other.has(FlowRow::Kind::block));
      CHECK_FALSE(other.has(FlowRow::Kind::head));
      for (const FlowRow& row : other.rows)
        for (const FlowPlace& place : row.places) CHECK(place.box.bottom() <= in.bottom() + 0.5f);
    }
  }
}

TEST_CASE("flow layout: a mask is painted in a presentation on cells that can be hit", "[app][flow]") {
  for (const float n : {5.f, 12.f, 16.f}) {
    FlowInput in = input(1244, 530, 1.5f, n, 64, 8);
    const float before = of_head(flow_layout(in), Quantity::attention).size.x;
    in.painting = true;
    CAPTURE(n, before);
    CHECK(of_head(flow_layout(in), Quantity::attention).size.x >= before);
    CHECK(of_head(flow_layout(in), Quantity::attention).size.x / n >= 14);
  }
}

TEST_CASE("flow layout: outside a presentation the whole formula is there", "[app][flow]") {
  for (const float n : {12.0f, 40.0f}) {
    const FlowLayout f = flow_layout(input(680, 690, 1, n, 64, 8));
    CHECK(f.has(FlowRow::Kind::operands));
    CHECK(f.has(FlowRow::Kind::mixing));
  }
}

TEST_CASE("flow layout: in a presentation C, W_O and Y stay, however low the room, but while a mask is painted",
          "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1244, 457}, {848, 457}, {1244, 400}, {848, 400}})
    for (const float n : {5.0f, 12.0f, 20.0f, 40.0f})
      for (const int heads : {2, 8, 16}) {
        CAPTURE(size.x, size.y, n, heads);
        FlowInput in = input(size.x, size.y, 1.5f, n, 64, heads);
        const FlowLayout f = flow_layout(in);
        REQUIRE(f.has(FlowRow::Kind::mixing));
        const Box &C = f.of(FlowRow::Kind::mixing, Quantity::concat), &Y = f.of(FlowRow::Kind::mixing, Quantity::Y);
        CHECK(C.size.y >= 2 * in.small);
        CHECK(C.size.x >= 5 * in.small);
        CHECK(Y.bottom() + in.small <= in.bottom() + 0.5f);  // with its caption
        CHECK(of_head(f, Quantity::attention).size.x >= (size.y > 450 ? 5.9f : 3) * in.small);
        const std::vector<Named> all = boxes(f);
        for (std::size_t a = 0; a < all.size(); ++a)
          for (std::size_t b = a + 1; b < all.size(); ++b) CHECK_FALSE(overlap(all[a].box, all[b].box));
        in.stages = whole_block();
        CHECK(flow_layout(in).has(FlowRow::Kind::mixing));
        in.painting = true;
        CHECK(flow_layout(in).has(FlowRow::Kind::head));
      }
}

TEST_CASE("flow layout: in a low presentation the weights of a small head keep their numbers", "[app][flow]") {
  for (const float n : {1.0f, 2.0f, 4.0f})
    for (const float d_model : {2.0f, 4.0f, 6.0f}) {
      CAPTURE(n, d_model);
      FlowInput in = input(1244, 610, 1.5f, n, d_model, 2);
      in.digits = 46, in.weight_digits = 26, in.number = 20;
      const FlowLayout f = flow_layout(in);
      REQUIRE(f.has(FlowRow::Kind::operands));
      for (const Quantity weights : {Quantity::W_Q, Quantity::W_K, Quantity::W_V}) {
        const Box& box = f.of(FlowRow::Kind::operands, weights);
        CHECK(box.size.y >= d_model * in.number);
        CHECK(box.size.x >= in.d_k * in.weight_digits);
      }
      const Box& W_O = f.of(FlowRow::Kind::mixing, Quantity::W_O);
      CHECK(W_O.size.y >= d_model * in.number);
      CHECK(W_O.size.x >= d_model * in.weight_digits);
      CHECK(of_head(f, Quantity::attention).size.y >= n * in.number);
    }
}

TEST_CASE("flow layout: in a presentation all heads have more room than one of them, and W_O is no stamp",
          "[app][flow]") {
  for (const float n : {6.0f, 12.0f, 16.0f})
    for (const int heads : {2, 4, 8}) {
      CAPTURE(n, heads);
      const FlowInput in = input(1244, 610, 1.5f, n, 64, heads);
      const FlowLayout f = flow_layout(in);
      const Box &strip = f.row(FlowRow::Kind::strip)->box, &A = of_head(f, Quantity::attention);
      CHECK(strip.size.y >= A.size.y);
      CHECK(strip.size.x * strip.size.y > 2 * A.size.x * A.size.y);
      CHECK(f.of(FlowRow::Kind::mixing, Quantity::W_O).size.y >= 5 * in.small);
      CHECK(f.of(FlowRow::Kind::mixing, Quantity::concat).pos.x > strip.right());
    }
}

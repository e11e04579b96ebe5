// Rows, columns and grids, by hand; and laws of random ones.
#include "app/widgets/arrange.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/linalg/random.h"

using namespace hydra;

namespace {

const Box kBox{{10, 20}, {100, 50}};

std::vector<float> widths(float room, float gap, const std::vector<Length>& parts) {
  std::vector<Box> boxes(parts.size());
  place_row({{0, 0}, {room, 1}}, gap, parts, boxes);
  std::vector<float> found;
  for (const Box& box : boxes) found.push_back(box.size.x);
  return found;
}
using Widths = std::vector<float>;

}  // namespace

TEST_CASE("arrange: a row stands from left to right, a column from top to bottom", "[widgets][arrange]") {
  const auto [a, b, c] = row(kBox, 5, {fixed(20), share(1), share(2)});
  CHECK((a.pos.x == 10 && a.size.x == 20));
  CHECK((b.pos.x == 35 && b.size.x == Approx(70 / 3.0f)));
  CHECK((c.pos.x == Approx(40 + 70 / 3.0f) && c.right() == Approx(110)));
  for (const Box& box : {a, b, c}) CHECK((box.pos.y == 20 && box.size.y == 50));
  const auto [top, bottom] = column(kBox, 10, {share(1), fixed(15)});
  CHECK((top.pos.y == 20 && top.size.y == 25 && top.size.x == 100));
  CHECK((bottom.pos.y == 55 && bottom.bottom() == 70));
  Box left, right;
  std::tie(left, std::ignore, right) = row(kBox, 0, {fixed(40), fixed(20), share(1)});
  CHECK((left.right() == 50 && right.pos.x == 70 && right.right() == 110));
}

TEST_CASE("arrange: sizes that fit exactly are had exactly, and what is left over stays empty", "[widgets][arrange]") {
  CHECK(widths(100, 0, {fixed(30), fixed(70)}) == Widths{30, 70});
  CHECK(widths(100, 10, {fixed(30), fixed(20), fixed(30)}) == Widths{30, 20, 30});
  CHECK(widths(100, 0, {fixed(30), share(1, 70)}) == Widths{30, 70});
  CHECK(widths(100, 0, {fixed(30), fixed(20)}) == Widths{30, 20});
  CHECK(widths(100, 0, {share(1, 0, 30), share(1, 0, 20)}) == Widths{30, 20});
}

TEST_CASE("arrange: bounds hold, and the others share what they leave or take", "[widgets][arrange]") {
  CHECK(widths(100, 0, {least(60), share(1)}) == Widths{60, 40});
  CHECK(widths(200, 0, {least(60), share(1)}) == Widths{100, 100});
  CHECK(widths(100, 0, {share(1, 0, 10), share(1), share(2)}) == Widths{10, 30, 60});
  // 25 each: 15 too much and 35 too little. The least holds first, and 40 are shared, of which 10 is not the most.
  CHECK(widths(100, 0, {share(1, 0, 10), share(1, 60), share(1), share(1)}) == Widths{10, 60, 15, 15});
  // Or the most first: 15 too much in each of three, 15 too little.
  CHECK(widths(100, 0, {share(1, 0, 10), share(1, 0, 10), share(1, 0, 10), share(1, 40)}) == Widths{10, 10, 10, 70});
  CHECK(widths(100, 0, {share(1, 30, 20), share(1)}) == Widths{30, 70});  // a most under the least is none
}

TEST_CASE("arrange: with too little room shares shrink alike to their least, and then all goes beyond the end",
          "[widgets][arrange]") {
  const std::vector<Length> parts{fixed(40), share(1, 10), share(3, 10)};
  CHECK(widths(120, 0, parts) == Widths{40, 20, 60});
  CHECK(widths(80, 0, parts) == Widths{40, 10, 30});
  CHECK(widths(70, 0, parts) == Widths{40, 10, 20});
  CHECK(widths(60, 0, parts) == Widths{40, 10, 10});
  CHECK(widths(30, 0, parts) == Widths{40, 10, 10});
  CHECK(widths(30, 5, {fixed(40), share(1)}) == Widths{40, 0});
  const auto [a, b] = row({{10, 20}, {30, 50}}, 5, {fixed(40), fixed(20)});
  CHECK((a.pos.x == 10 && b.pos.x == 55 && b.right() == 75));
}

TEST_CASE("arrange: without room, or less, shares have their least and no size is less than none",
          "[widgets][arrange]") {
  for (const float room : {0.0f, -50.0f}) {
    CHECK(widths(room, 5, {fixed(40), share(1), least(7), share(0)}) == Widths{40, 0, 7, 0});
    CHECK(widths(room, 5, {fixed(-3), share(1, -2)}) == Widths{0, 0});
    const auto [a, b] = column({{10, 20}, {room, room}}, 0, {share(1), share(1)});
    CHECK((a.size.x == 0 && a.size.y == 0 && b.pos.y == 20));
  }
}

TEST_CASE("arrange: who has no size has no gap, and space of one's own stands after it", "[widgets][arrange]") {
  const auto [a, none, b] = row(kBox, 10, {fixed(20), fixed(0).then(7), share(1)});
  CHECK((none.pos.x == 40 && none.size.x == 0));
  CHECK((b.pos.x == 40 && b.right() == 110));
  const auto [title, chart, key] = column(kBox, 0, {fixed(10).then(4), share(1).then(6), fixed(5)});
  CHECK((chart.pos.y == 34 && chart.size.y == 25));
  CHECK((key.pos.y == 65 && key.bottom() == 70));
  CHECK(title.bottom() == 30);
}

TEST_CASE("arrange: of any sizes parts follow each other, within their bounds, and fill the room where they can",
          "[widgets][arrange]") {
  Random rng(7);
  const auto any = [&](float from, float to) { return from + (to - from) * static_cast<float>(rng.uniform()); };
  for (int k = 0; k < 2000; ++k) {
    std::vector<Length> parts(1 + static_cast<std::size_t>(any(0, 5.99f)));
    for (Length& part : parts) {
      const float least = any(0, 1) < 0.5f ? 0 : any(0, 60);
      part = any(0, 1) < 0.3f ? fixed(any(1, 60)) : share(any(0.1f, 3), least, any(0, 1) < 0.5f ? 1e6f : any(61, 120));
    }
    const float room = any(-50, 600), gap = any(0, 8);
    std::vector<Box> boxes(parts.size());
    place_row({{3, 4}, {room, 9}}, gap, parts, boxes);
    float end = 3 - gap, least_end = 3 - gap, most_end = 3 - gap;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Box& box = boxes[i];
      REQUIRE(std::isfinite(box.size.x));
      REQUIRE(box.pos.x == Approx(end + gap).margin(1e-3));
      REQUIRE(box.size.x >= parts[i].least);
      REQUIRE(box.size.x <= parts[i].most);
      end = box.right(), least_end += gap + parts[i].least, most_end += gap + parts[i].most;
    }
    REQUIRE(end == Approx(std::clamp(3 + std::max(0.0f, room), least_end, std::max(least_end, most_end))).margin(1e-2));
  }
}

TEST_CASE("arrange: a grid has the largest squares in whole pixels, or the least and grows down",
          "[widgets][arrange]") {
  const Grid few = grid({100, 50}, 2, 5);
  CHECK((few.columns == 2 && few.side == 47));
  const Grid six = grid({100, 60}, 6, 5);  // 3 x 2: 30 across and 27.5 down
  CHECK((six.columns == 3 && six.side == 27));
  CHECK((six.at(4).x == 32 && six.at(4).y == 32));
  CHECK(six.height(6) == 59);
  const Grid many = grid({100, 60}, 40, 5, 20);
  CHECK((many.columns == 4 && many.side == 20));
  CHECK(many.height(40) == 10 * 25 - 5);
  CHECK(grid({-5, 0}, 3, 5, 20).columns == 1);
  CHECK(grid({0, 0}, 3, 5).side == 0);
}

TEST_CASE("arrange: all squares of a grid fit, and no other number of columns has larger ones", "[widgets][arrange]") {
  for (const int count : {1, 2, 8, 96, 128}) {
    const ImVec2 size{700, 110};
    const float gap = 10;
    const Grid t = grid(size, count, gap);
    const int rows = (count + t.columns - 1) / t.columns;
    CHECK(real(t.columns) * (t.side + gap) - gap <= size.x);
    CHECK(real(rows) * (t.side + gap) - gap <= size.y);
    for (int columns = 1; columns <= count; ++columns) {
      const auto c = real(columns), r = real((count + columns - 1) / columns);
      const float larger = t.side + 1;
      CHECK_FALSE((c * (larger + gap) - gap <= size.x && r * (larger + gap) - gap <= size.y));
    }
  }
}

TEST_CASE("arrange: the first variant that fits, or else the last", "[widgets][arrange]") {
  const auto fits_in = [](int room) { return first_that_fits({5, 3, 1}, [&](int size) { return size <= room; }); };
  CHECK(fits_in(9) == 5);
  CHECK(fits_in(4) == 3);
  CHECK(fits_in(1) == 1);
  CHECK(fits_in(0) == 1);
}

TEST_CASE("arrange: the least height is the first in which as much is shown as in any", "[widgets][arrange]") {
  struct Input {
    ImVec2 size;
  };
  const auto lines = [](float least) {
    return [=](const Input& in) { return std::array{std::min(in.size.y, least), in.size.x}; };
  };
  CHECK(least_height(Input{{50, 0}}, lines(70.5f)) == 71);
  CHECK(least_height(Input{{50, 9000}}, lines(70)) == 70);
  CHECK(least_height(Input{{50, 10}}, lines(0)) == 1);
  const auto sometimes = [](const Input& in) {
    return std::array{real(int{in.size.y >= 200 || (in.size.y >= 170 && in.size.y <= 185)})};
  };
  CHECK(least_height(Input{{50, 0}}, sometimes) == 170);
}

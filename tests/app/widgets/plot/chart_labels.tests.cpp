// Where labels of charts find room: which counts are named, names apart, a place that nothing covers.
#include "app/widgets/plot/chart_labels.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("chart labels: the own count is always named, others evenly around it", "[widgets][chart_labels]") {
  std::vector<float> even;
  for (int k = 0; k < 7; ++k) even.push_back(14.0f * static_cast<float>(k));
  CHECK(thinned(even, 14, 3) == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  CHECK(thinned(even, 16, 3) == std::vector<int>{1, 3, 5});
  CHECK(thinned(even, 16, 0) == std::vector<int>{0, 2, 4, 6});
  CHECK(thinned(even, 40, 4) == std::vector<int>{1, 4});
  CHECK(thinned(even, 16, -1) == std::vector<int>{0, 2, 4, 6});
  CHECK(thinned(even, 1000, 5) == std::vector<int>{5});
  CHECK(thinned({}, 16, 2).empty());
  const std::vector<float> uneven{0, 50, 58, 61, 100, 104};
  for (int own = 0; own < 6; ++own) {
    const std::vector<int> shown = thinned(uneven, 9, own);
    CAPTURE(own);
    CHECK(std::is_sorted(shown.begin(), shown.end()));
    CHECK(std::find(shown.begin(), shown.end(), own) != shown.end());
    for (std::size_t k = 1; k < shown.size(); ++k)
      CHECK(uneven[static_cast<std::size_t>(shown[k])] - uneven[static_cast<std::size_t>(shown[k - 1])] >= 9);
  }
}

TEST_CASE("chart labels: names come apart, moved as little as can be, and stay within the bounds",
          "[widgets][chart_labels]") {
  const auto apart = [](std::vector<float> heights, float top = 0, float bottom = 100) {
    spread(heights, 10, top, bottom);
    return heights;
  };
  CHECK(apart({10, 12, 90, 99, 100}, 10) == std::vector<float>{10, 20, 80, 90, 100});
  CHECK(apart({10, 40}) == std::vector<float>{10, 40});
  CHECK(apart({50, 50}) == std::vector<float>{45, 55});  // each half of the way
  CHECK(apart({48, 50, 52, 80}) == std::vector<float>{40, 50, 60, 80});
  CHECK(apart({0, 0, 0}) == std::vector<float>{0, 10, 20});
  CHECK(apart({100, 100}) == std::vector<float>{90, 100});
  CHECK(apart({50, 50, 50}, 45, 55) == std::vector<float>{35, 45, 55});  // no room
  CHECK(apart({}).empty());
}

TEST_CASE("chart labels: a label stands where nothing is drawn, or nowhere", "[widgets][chart_labels]") {
  const LabelBox room{{0, 0}, {100, 100}};
  const ImVec2 size{30, 10};
  CHECK(free_place(size, room, {})->y == 90);
  const std::vector<LabelBox> foot{{{0, 85}, {100, 100}}};
  const std::optional<ImVec2> above = free_place(size, room, foot);
  REQUIRE(above);
  CHECK_FALSE(LabelBox{*above, {above->x + 30, above->y + 10}}.meets(foot[0]));
  CHECK(above->y > 60);
  CHECK(free_place(size, room, {{{0, 0}, {50, 100}}})->x >= 50);  // beside what fills one half
  CHECK_FALSE(free_place(size, room, {room}));
  CHECK_FALSE(free_place({101, 10}, room, {}));
}

// Points on a plane: equal axes, the point under the pointer.
#include "app/widgets/point_map.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

struct Drawn {
  UiDriver ui{{500, 400}};
  std::vector<MapPoint> points;
  double half_side = 1;
  PointMapResult result;
  int clicked = -1;

  explicit Drawn(std::vector<MapPoint> shown) : points(std::move(shown)) {
    ui.draw_each_frame([this] {
      PointMap map;
      map.points = &points;
      map.half_side = half_side;
      map.theme = &theme(false);
      map.font = ImGui::GetFont();
      result = draw_point_map("map", map, {50, 40}, 300);
      if (result.clicked) clicked = result.hovered;
    });
    ui.frames(2);
  }
  ImVec2 at(int point) { return ui.rect("map/" + std::to_string(point)).center(); }
};

}  // namespace

TEST_CASE("point map: both axes have the same scale, y points up", "[widgets][point_map]") {
  Drawn d({{0, 0, IM_COL32_WHITE}, {0.5f, 0, IM_COL32_WHITE}, {0, 0.5f, IM_COL32_WHITE}});
  const ImVec2 center = d.at(1), right = d.at(2), up = d.at(3);
  CHECK(center.x == Approx(200));
  CHECK(center.y == Approx(190));
  CHECK(right.x - center.x == Approx(center.y - up.y));
  CHECK(right.x > center.x + 50);
  CHECK(right.y == Approx(center.y));
}

TEST_CASE("point map: what lies at the edge is whole within the square", "[widgets][point_map]") {
  Drawn d({{1, 1, IM_COL32_WHITE}, {-1, -1, IM_COL32_WHITE}});
  const UiDriver::Rect first = d.ui.rect("map/1"), second = d.ui.rect("map/2");
  CHECK(first.max.x <= 350);
  CHECK(first.min.y >= 40);
  CHECK(second.min.x >= 50);
  CHECK(second.max.y <= 340);
}

TEST_CASE("point map: the nearest point is hovered and clicked", "[widgets][point_map]") {
  Drawn d({{-0.5f, 0, IM_COL32_WHITE}, {0.5f, 0.25f, IM_COL32_WHITE}});
  d.ui.move(d.at(2));
  CHECK(d.result.hovered == 1);
  d.ui.click(d.at(1));
  CHECK(d.clicked == 0);
  d.clicked = -1;
  d.ui.click(ImVec2{60, 50});
  CHECK(d.clicked == -1);
  CHECK(d.result.hovered == -1);
}

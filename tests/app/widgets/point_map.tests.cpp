// Points on a plane: equal axes, the point under the pointer.
#include "app/widgets/point_map.h"

#include <catch2/catch.hpp>
#include <cmath>
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
      result = draw_point_map(ui.canvas, "map", map, {50, 40}, 300);
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

TEST_CASE("point map: points that fall on each other stand beside each other, and can all be pointed at",
          "[widgets][point_map]") {
  for (const float x : {0.0f, 1.0f}) {
    Drawn d({{x, 0, IM_COL32_WHITE},
             {x, 0, IM_COL32_WHITE},
             {x, 0.001f, IM_COL32_WHITE},
             {x, 0, IM_COL32_WHITE},
             {x, 0, IM_COL32_WHITE},
             {x, 0, IM_COL32_WHITE},
             {x, 0, IM_COL32_WHITE},
             {-0.5f, 0, IM_COL32_WHITE}});
    for (int a = 1; a <= 8; ++a) {
      const UiDriver::Rect first = d.ui.rect("map/" + std::to_string(a));
      CHECK(first.max.x <= 350.5f);
      for (int b = a + 1; b <= 8; ++b) {
        const ImVec2 p = d.at(a), q = d.at(b);
        CHECK(std::hypot(p.x - q.x, p.y - q.y) >= first.max.x - first.min.x);
      }
      d.ui.move(d.at(a));
      CHECK(d.result.hovered == a - 1);
    }
  }
}

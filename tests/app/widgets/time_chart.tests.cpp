// Lines over steps: how far the axis reaches, and what is said of what it does not reach.
#include "app/widgets/time_chart.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

TimeLine line_of(const std::vector<double>& values) {
  TimeLine line;
  line.values = &values;
  line.color = IM_COL32_WHITE;
  return line;
}

}  // namespace

TEST_CASE("time chart: an axis ends at the largest value, unless few lie far above the others", "[widgets]") {
  std::vector<double> falling, diverged;
  for (int k = 0; k < 200; ++k) falling.push_back(4 - 0.01 * k), diverged.push_back(k < 2 ? 5000 : 2);
  CHECK(usual_high({line_of(falling)}) == 4);
  CHECK(usual_high({line_of(diverged)}) == 2);
  CHECK(usual_high({line_of(diverged), line_of(falling)}) < 5);
  const std::vector<double> none{NAN, NAN};
  CHECK(std::isnan(usual_high({line_of(none)})));
  CHECK(std::isnan(usual_high({})));
}

TEST_CASE("time chart: what the axis does not reach is marked at its end, and nothing else is", "[widgets]") {
  UiDriver ui({600, 400});
  std::vector<double> values{1, 2, 5327, 2, 1};
  ui.draw_each_frame([&] {
    TimeChart chart;
    chart.lines = {line_of(values)};
    chart.last = 4;
    chart.high = 3;
    chart.theme = &theme(false);
    chart.font = ImGui::GetFont();
    time_chart(ui.canvas, "chart", chart, {0, 0}, {600, 400});
  });
  ui.frames(2);
  REQUIRE(ui.exists("chart/above"));
  CHECK_FALSE(ui.exists("chart/below"));
  const auto chart = ui.rect("chart"), mark = ui.rect("chart/above");
  CHECK(mark.min.y < chart.min.y + 0.1f * (chart.max.y - chart.min.y));
  CHECK(std::abs(0.5f * (mark.min.x + mark.max.x) - 300) < 60);  // at the third of five
  values = {1, 2, 3, -1, NAN};
  ui.frames(2);
  CHECK_FALSE(ui.exists("chart/above"));
  CHECK(ui.exists("chart/below"));
  values = {0, 1, 2, 3, 3};
  ui.frames(2);
  CHECK_FALSE(ui.exists("chart/above"));
  CHECK_FALSE(ui.exists("chart/below"));
}

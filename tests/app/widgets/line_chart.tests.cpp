// Lines over 1, 2, 3: the value under the pointer, on both kinds of axis.
#include "app/widgets/line_chart.h"

#include <catch2/catch.hpp>

#include "tests/support/ui_driver.h"

using namespace hydra;

TEST_CASE("line chart: the value nearest to the pointer is found", "[widgets][line_chart]") {
  UiDriver ui({600, 400});
  const std::vector<double> falling{100, 10, 0}, level{50, 50, 50};
  LineChartResult result;
  int clicked = -1;
  bool logarithmic = false;
  ui.draw_each_frame([&] {
    LineChart chart;
    chart.lines = {{&falling, IM_COL32_WHITE, true}, {&level, IM_COL32_WHITE, false}};
    chart.limits = {{2, "d = 2"}, {9, "n = 9"}};
    chart.last = 3;
    chart.low = logarithmic ? 0.1 : 0;
    chart.high = 100;
    chart.logarithmic = logarithmic;
    chart.theme = &theme(false);
    chart.font = ImGui::GetFont();
    result = draw_line_chart(ui.canvas, "chart", chart, {0, 0}, {600, 400});
    if (result.clicked) clicked = result.line;
  });
  ui.frames(2);
  // Down each column, the values are met in their order.
  const auto met = [&](float x) {
    std::vector<int> lines;
    for (float y = 4; y < 396; y += 4) {
      ui.move(ImVec2{x, y});
      if (result.line >= 0 && result.index == 1 && (lines.empty() || lines.back() != result.line))
        lines.push_back(result.line);
    }
    return lines;
  };
  const UiDriver::Rect chart = ui.rect("chart");
  float middle = 0;
  for (float x = chart.min.x; x < chart.max.x && middle == 0; x += 4) {
    ui.move(ImVec2{x, 200});
    if (result.index == 1 && result.line == 1) middle = x + 8;
  }
  REQUIRE(middle > 0);
  CHECK(met(middle) == std::vector<int>{1, 0});
  logarithmic = true;
  ui.frames(1);
  CHECK(met(middle) == std::vector<int>{1, 0});
  for (float y = 4; y < 396 && result.line != 0; y += 4) ui.move(ImVec2{middle, y});
  REQUIRE(result.line == 0);
  ui.press();
  ui.release();
  CHECK(clicked == 0);
  ui.leave();
  CHECK(result.line == -1);
  CHECK_FALSE(ui.exists("chart/above"));
  const std::vector<double> high{100, 250, 0};
  ui.draw_each_frame([&] {
    LineChart high_one;
    high_one.lines = {{&high, IM_COL32_WHITE, true}};
    high_one.last = 3;
    high_one.high = 100;
    high_one.theme = &theme(false);
    high_one.font = ImGui::GetFont();
    draw_line_chart(ui.canvas, "chart", high_one, {0, 0}, {600, 400});
  });
  ui.frames(2);
  CHECK(ui.exists("chart/above"));
  CHECK_FALSE(ui.exists("chart/below"));
}

#include "app/widgets/band_chart.h"

#include <catch2/catch.hpp>
#include <limits>

#include "app/platform/theme.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

struct BandStage {
  explicit BandStage(std::vector<double> values) : ui({500, 400}), line(std::move(values)) {
    ui.draw_each_frame([this] {
      BandChart chart;
      chart.pos = {10, 10};
      chart.size = {400, 300};
      chart.line = chart.mean = chart.low = chart.high = &line;
      chart.font = ImGui::GetIO().Fonts->Fonts.front();
      chart.theme = &theme(false);
      chart.under = 20;
      result = band_chart(ui.canvas, "chart", chart);
    });
    ui.frames(2);
  }
  UiDriver ui;
  std::vector<double> line;
  BandChartResult result;
};

}  // namespace

TEST_CASE("band chart: counts stand at equal steps from one side of the plot to the other", "[widgets][band_chart]") {
  BandStage stage({0, 0.25, 0.5, 0.75, 1});
  CHECK(stage.result.x_of(0) == stage.result.min.x);
  CHECK(stage.result.x_of(4) == Approx(stage.result.max.x));
  CHECK(stage.result.min.x >= 10);
  CHECK(stage.result.max.x <= 410);
  CHECK(stage.result.max.y <= 310 - 20);
}

TEST_CASE("band chart: the count nearest to the pointer", "[widgets][band_chart]") {
  BandStage stage({0, 0.25, 0.5, 0.75, 1});
  const float y = 0.5f * (stage.result.min.y + stage.result.max.y);
  for (const Index k : {0, 1, 3}) {
    stage.ui.move(ImVec2{stage.result.x_of(k) + 0.3f * stage.result.step, y});
    CHECK(stage.result.hovered == k);
  }
  stage.ui.leave();
  CHECK(stage.result.hovered == -1);
}

TEST_CASE("band chart: one count, and values that are not known, are drawn", "[widgets][band_chart]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& values : {std::vector<double>{0}, {0, nan, 1}, {nan, nan}}) {
    BandStage stage(values);
    stage.ui.move(stage.ui.rect("chart").at(0.9f, 0.5f));
    CHECK(stage.result.hovered == static_cast<Index>(values.size()) - 1);
  }
}

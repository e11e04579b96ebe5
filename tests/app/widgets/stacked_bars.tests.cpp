#include "app/widgets/stacked_bars.h"

#include <catch2/catch.hpp>
#include <limits>

#include "app/platform/theme.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Bars from x = 10 to 410, 20 high, from y = 10.
struct BarsStage {
  explicit BarsStage(Mat<double> values) : ui({500, 400}), parts(std::move(values)) {
    ui.draw_each_frame([this] {
      StackedBars bars(parts);
      const StackRange range = stack_range(parts);
      bars.low = range.low;
      bars.high = range.high;
      bars.color = [](Index) { return IM_COL32_WHITE; };
      bars.pos = {10, 10};
      bars.width = 400;
      bars.row = 20;
      bars.font = ImGui::GetIO().Fonts->Fonts.front();
      bars.theme = &theme(false);
      bars.probe_prefix = "bars";
      result = stacked_bars(ui.canvas, bars);
    });
    ui.frames(2);
  }
  UiDriver ui;
  Mat<double> parts;
  StackedBarsResult result;
};

}  // namespace

TEST_CASE("stacked bars: the range holds the positive and the negative parts of every row", "[widgets][stacked_bars]") {
  Mat<double> parts(3, 3);
  parts << 0.5, -0.25, 0.75, 1, 0, 0, kNaN, 5, -5;
  const StackRange range = stack_range(parts);
  CHECK(range.low == -0.25);
  CHECK(range.high == 1.25);
  const StackRange none = stack_range(parts.bottomRows(1));
  CHECK(none.low == 0);
  CHECK(none.high == 1);
  CHECK(stack_range(Mat<double>::Zero(2, 2)).high == 1);
}

TEST_CASE("stacked bars: the part under the pointer, on either side of zero", "[widgets][stacked_bars]") {
  Mat<double> parts(2, 3);
  parts << 1, -1, 2, 0, 3, 0;  // from -1 to 3: 100 pixels per 1, zero at x = 110
  BarsStage stage(parts);
  const auto part_at = [&](float x, float y) {
    stage.ui.move(ImVec2{x, y});
    return std::pair(stage.result.row, stage.result.part);
  };
  CHECK(part_at(60, 20) == std::pair<Index, Index>(0, 1));
  CHECK(part_at(150, 20) == std::pair<Index, Index>(0, 0));
  CHECK(part_at(350, 20) == std::pair<Index, Index>(0, 2));
  CHECK(part_at(350, 40) == std::pair<Index, Index>(1, 1));
  CHECK(part_at(60, 40) == std::pair<Index, Index>(1, -1));
  CHECK(part_at(60, 80) == std::pair<Index, Index>(-1, -1));
  CHECK(stage.ui.rect("bars/2").min.y == 30);
}

TEST_CASE("stacked bars: a row that is not finite has no parts", "[widgets][stacked_bars]") {
  Mat<double> parts(1, 2);
  parts << kNaN, 1;
  BarsStage stage(parts);
  stage.ui.move(ImVec2{100, 20});
  CHECK(stage.result.row == 0);
  CHECK(stage.result.part == -1);
}

// Values over counts: which count is under the pointer, for any counts and both kinds of axis.
#include "app/widgets/count_chart.h"

#include <catch2/catch.hpp>
#include <limits>

#include "app/draw/format.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

struct ChartDriver {
  explicit ChartDriver(std::vector<double> counts) {
    chart.counts = std::move(counts);
    chart.say = ui::short_number;
    ui.draw_each_frame([this] {
      chart.theme = &theme(false);
      chart.font = ImGui::GetFont();
      result = count_chart(ui.canvas, "chart", chart, {0, 0}, {600, 400});
      if (result.clicked) clicked = result.hovered;
    });
    ui.frames(2);
  }
  // The counts met from left to right.
  std::vector<int> met() {
    std::vector<int> found;
    for (float x = 2; x < 598; x += 4) {
      ui.move(ImVec2{x, 200});
      if (result.hovered >= 0 && (found.empty() || found.back() != result.hovered)) found.push_back(result.hovered);
    }
    return found;
  }

  UiDriver ui{ImVec2{600, 400}};
  CountChart chart;
  CountChartResult result;
  int clicked = -1;
};

}  // namespace

TEST_CASE("count chart: every count is met in its order, near ones and far ones", "[widgets][count_chart]") {
  for (const std::vector<double>& counts :
       {std::vector<double>{1, 2, 4, 8, 16, 32, 64}, {1, 2, 3, 4, 6, 12}, {1, 128}, {5}}) {
    ChartDriver d(counts);
    d.chart.series.push_back({std::vector<double>(counts.size(), 0.5), IM_COL32_WHITE});
    std::vector<int> all;
    for (int k = 0; k < static_cast<int>(counts.size()); ++k) all.push_back(k);
    CHECK(d.met() == all);
    d.ui.leave();
    CHECK(d.result.hovered == -1);
  }
}

TEST_CASE("count chart: a click says which count, whatever is drawn there", "[widgets][count_chart]") {
  ChartDriver d({1, 2, 4});
  const double none = std::numeric_limits<double>::quiet_NaN();
  d.chart.series = {{{1, none, 3}, IM_COL32_WHITE, CountSeries::Kind::line},
                    {{none, none, none}, IM_COL32_WHITE, CountSeries::Kind::dots},
                    {{1e9, -5, 0}, IM_COL32_WHITE, CountSeries::Kind::rings},
                    {{0.2, 0.1, none}, IM_COL32_WHITE, CountSeries::Kind::bars}};
  d.chart.levels = {{2, "n = 2"}};
  d.chart.shaded = 2;
  d.chart.shaded_label = "wide enough";
  d.chart.marked = 1;
  d.chart.low = 1;
  d.chart.high = 8;
  for (const bool logarithmic : {false, true}) {
    d.chart.logarithmic = logarithmic;
    d.clicked = -1;
    d.ui.click(d.ui.rect("chart").at(0.52f, 0.4f));
    CHECK(d.clicked == 1);
  }
}

TEST_CASE("count chart: lines make room for their names beside them", "[widgets][count_chart]") {
  ChartDriver d({1, 10, 100});
  d.chart.logarithmic = true;
  d.chart.base = 10;
  d.chart.low = 0.1;
  d.chart.high = 1000;
  const double none = std::numeric_limits<double>::quiet_NaN();
  d.chart.series = {{{1, 2, 3}, IM_COL32_WHITE, CountSeries::Kind::line},
                    {{3, 2, none}, IM_COL32_WHITE, CountSeries::Kind::line},
                    {{none, none, none}, IM_COL32_WHITE, CountSeries::Kind::line}};
  const ImVec2 end{560, 200};
  d.ui.move(end);
  CHECK(d.result.hovered == 2);
  for (CountSeries& series : d.chart.series) series.label = "a name that is as long as two hundred pixels";
  d.ui.frames(1);
  d.ui.move(end);
  CHECK(d.result.hovered == -1);
  CHECK(d.met() == std::vector<int>{0, 1, 2});
}

TEST_CASE("count chart: the label of a level stands beside the plot, clear of the last point",
          "[widgets][count_chart]") {
  ChartDriver d({1, 2, 4});
  d.chart.series = {{{2, 2, 2}, IM_COL32_WHITE, CountSeries::Kind::rings}};
  d.chart.low = 1;
  d.chart.high = 8;
  d.chart.logarithmic = true;
  const ImVec2 end{590, 200};
  d.ui.move(end);
  CHECK(d.result.hovered == 2);
  d.chart.levels = {{2, "a level that says at length what it is"}};
  d.ui.frames(1);
  d.ui.move(end);
  CHECK(d.result.hovered == -1);
  CHECK(d.met() == std::vector<int>{0, 1, 2});
}

TEST_CASE("count chart: upright marks between, on and beyond the counts leave them where they are",
          "[widgets][count_chart]") {
  ChartDriver d({1, 2, 4, 16});
  d.chart.series.push_back({{0.1, 0.2, 0.3, 0.4}, IM_COL32_WHITE, CountSeries::Kind::line});
  const std::vector<int> without = d.met();
  d.chart.marks = {{11, "n - 1", true}, {16, "n"}, {0.5, "left of all"}, {99, "right of all"}};
  CHECK(d.met() == without);
  d.chart.counts = {3};
  d.chart.series[0].values = {0.5};
  CHECK(d.met() == std::vector<int>{0});
}

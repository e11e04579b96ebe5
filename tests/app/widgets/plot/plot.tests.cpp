// Plots: where values stand and which are met, on all kinds of axes; what leaves the axis; what is drawn of a series.
#include "app/widgets/plot/plot.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "app/draw/color_map.h"
#include "app/draw/recording.h"
#include "app/widgets/plot/plot_scale.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct PlotDriver {
  explicit PlotDriver(std::vector<double> places) {
    plot.places = std::move(places);
    ui.draw_each_frame([this] {
      plot.theme = &theme(false);
      plot.font = ImGui::GetFont();
      result = draw_plot(ui.canvas, "plot", plot, {{0, 0}, {600, 400}});
      if (result.clicked) clicked = result.place;
    });
    ui.frames(2);
  }
  // The places met from left to right.
  std::vector<int> met() {
    std::vector<int> found;
    for (float x = 2; x < 598; x += 4) {
      ui.move(ImVec2{x, 200});
      if (result.place >= 0 && (found.empty() || found.back() != result.place)) found.push_back(result.place);
    }
    return found;
  }
  // The series met from above to below at a place.
  std::vector<int> met_at(int place) {
    std::vector<int> found;
    for (float y = 4; y < 396; y += 4) {
      ui.move(ImVec2{x_of(place), y});
      if (result.series >= 0 && (found.empty() || found.back() != result.series)) found.push_back(result.series);
    }
    return found;
  }
  float x_of(int place) const {
    return result.first + static_cast<float>(place) * result.step;
  }  // where places are even

  UiDriver ui{ImVec2{600, 400}};
  Plot plot;
  PlotResult result;
  int clicked = -1;
};

PlotSeries series_of(std::vector<double> values, PlotSeries::Kind kind = PlotSeries::Kind::line) {
  return {std::move(values), IM_COL32_WHITE, kind};
}

}  // namespace

TEST_CASE("plot: every place is met in its order, near ones and far ones", "[widgets][plot]") {
  for (const std::vector<double>& places :
       {std::vector<double>{1, 2, 4, 8, 16, 32, 64}, {1, 2, 3, 4, 6, 12}, {1, 128}, {5}})
    for (const bool logarithmic : {false, true}) {
      if (!logarithmic && places.size() > 6) continue;  // near ones are within each other's reach
      PlotDriver d(places);
      d.plot.x.logarithmic = logarithmic;
      d.plot.series.push_back(series_of(std::vector<double>(places.size(), 0.5), PlotSeries::Kind::bars));
      std::vector<int> all;
      for (int k = 0; k < static_cast<int>(places.size()); ++k) all.push_back(k);
      CHECK(d.met() == all);
      d.ui.leave();
      CHECK(d.result.place == -1);
    }
}

TEST_CASE("plot: a click says which place, whatever is drawn there", "[widgets][plot]") {
  using Kind = PlotSeries::Kind;
  PlotDriver d({1, 2, 4});
  d.plot.x.logarithmic = true;
  d.plot.series = {series_of({1, kNaN, 3}), series_of({kNaN, kNaN, kNaN}, Kind::dots),
                   series_of({1e9, -5, 0}, Kind::rings), series_of({0.2, 0.1, kNaN}, Kind::bars), series_of({})};
  d.plot.levels = {{2, "n = 2"}};
  d.plot.shaded = 2;
  d.plot.shaded_label = "wide enough";
  d.plot.marked = 1;
  d.plot.y.low = 1;
  d.plot.y.high = 8;
  for (const bool logarithmic : {false, true})
    for (const bool zero : {false, true}) {
      d.plot.y.logarithmic = logarithmic;
      d.plot.y.zero = zero;
      d.clicked = -1;
      d.ui.click(d.ui.rect("plot").at(0.5f, 0.4f));
      CHECK(d.clicked == 1);
    }
}

TEST_CASE("plot: the series nearest to the pointer is found at a place, on both kinds of axis", "[widgets][plot]") {
  PlotDriver d({1, 2, 3});
  d.plot.series = {series_of({100, 10, 0}), series_of({50, 50, 50})};
  d.plot.marks = {{2, "d = 2"}, {9, "n = 9"}};
  d.plot.y.high = 100;
  for (const bool logarithmic : {false, true}) {
    d.plot.y.logarithmic = logarithmic;
    d.plot.y.low = logarithmic ? 0.1 : 0;
    d.ui.frames(1);
    CHECK(d.met_at(1) == std::vector<int>{1, 0});
    CHECK(d.met_at(0) == std::vector<int>{0, 1});
  }
  d.plot.keyed = true;
  d.plot.series[0].label = "falling", d.plot.series[1].label = "level";
  d.ui.frames(2);
  REQUIRE(d.ui.exists("plot/key"));
  const UiDriver::Rect key = d.ui.rect("plot/key");
  std::vector<int> entries;
  for (float x = key.min.x; x < key.max.x; x += 4) {
    d.ui.move(ImVec2{x, 0.5f * (key.min.y + key.max.y)});
    if (d.result.place < 0 && d.result.series >= 0 && (entries.empty() || entries.back() != d.result.series))
      entries.push_back(d.result.series);
  }
  CHECK(entries == std::vector<int>{0, 1});
}

TEST_CASE("plot: names at the ends of lines and levels have room beside the values, and not all of it",
          "[widgets][plot]") {
  PlotDriver d({1, 10, 100});
  d.plot.x.logarithmic = d.plot.y.logarithmic = true;
  d.plot.y.low = 0.1;
  d.plot.y.high = 1000;
  d.plot.series = {series_of({1, 2, 3}), series_of({3, 2, kNaN}), series_of({kNaN, kNaN, kNaN})};
  const float without = d.result.max.x;
  for (PlotSeries& series : d.plot.series) series.label = "a name that is longer than is good for any plot at all";
  d.ui.frames(1);
  CHECK(d.result.max.x < without - 100);
  CHECK(d.result.max.x > 300);
  CHECK(d.met() == std::vector<int>{0, 1, 2});
  for (PlotSeries& series : d.plot.series) series.label.clear();
  d.plot.levels = {{2, "a level that says at length what it is"}};
  d.ui.frames(1);
  CHECK(d.result.max.x < without - 100);
  d.plot.levels[0].inside = true;
  d.ui.frames(1);
  CHECK(d.result.max.x == without);
}

TEST_CASE("plot: marks between, on and beyond the places leave them where they are", "[widgets][plot]") {
  PlotDriver d({1, 2, 4, 16});
  d.plot.x.logarithmic = true;
  d.plot.series.push_back(series_of({0.1, 0.2, 0.3, 0.4}));
  const std::vector<int> without = d.met();
  d.plot.marks = {{0.5, "left of all"}, {11, "n - 1"}, {16, "n"}, {99, "right of all"}};
  CHECK(d.met() == without);
  d.plot.places = {3};
  d.plot.series = {series_of({0.5})};
  CHECK(d.met() == std::vector<int>{0});
}

TEST_CASE("plot: without places, whole numbers stand from one side to the other", "[widgets][plot]") {
  for (const std::vector<double>& values :
       {std::vector<double>{0, 0.25, 0.5, 0.75, 1}, {0}, {0, kNaN, 1}, {kNaN, kNaN}}) {
    PlotDriver d({});
    d.plot.series = {series_of(values)};
    d.plot.x.high = static_cast<double>(values.size()) - 1;
    d.plot.under = 20;
    d.ui.frames(1);
    CHECK(d.result.max.y <= 380);
    if (values.size() < 2) continue;
    CHECK(d.result.first == d.result.min.x);
    CHECK(d.x_of(static_cast<int>(values.size()) - 1) == Approx(d.result.max.x));
    for (int k = 0; k < static_cast<int>(values.size()); ++k) {
      d.ui.move(ImVec2{d.x_of(k) + (k == 0 ? 0.3f : -0.3f) * d.result.step, 200});
      CHECK(d.result.place == k);
    }
  }
}

TEST_CASE("plot: what the upright axis does not reach is marked at its end, and nothing else is", "[widgets][plot]") {
  PlotDriver d({});
  std::vector<double> values{1, 2, 5327, 2, 1};
  d.plot.series = {{.y = &values, .color = IM_COL32_WHITE}};
  d.plot.x.high = 4;
  d.plot.y.high = 3;
  d.ui.frames(2);
  REQUIRE(d.ui.exists("plot/above"));
  CHECK_FALSE(d.ui.exists("plot/below"));
  const auto whole = d.ui.rect("plot"), mark = d.ui.rect("plot/above");
  CHECK(mark.min.y < whole.min.y + 0.1f * (whole.max.y - whole.min.y));
  CHECK(std::abs(0.5f * (mark.min.x + mark.max.x) - 300) < 60);  // at the third of five
  values = {1, 2, 3, -1, NAN};
  d.ui.frames(2);
  CHECK_FALSE(d.ui.exists("plot/above"));
  CHECK(d.ui.exists("plot/below"));
  values = {0, 1, 2, 3, 3};
  d.ui.frames(2);
  CHECK_FALSE(d.ui.exists("plot/above"));
  CHECK_FALSE(d.ui.exists("plot/below"));
  for (const PlotSeries::Kind kind : {PlotSeries::Kind::bars, PlotSeries::Kind::dots}) {
    d.plot.places = {1, 2};
    d.plot.series = {series_of({1, 4}, kind)};
    d.ui.frames(2);
    CHECK(d.ui.exists("plot/above"));
  }
}

TEST_CASE("plot: an axis ends at the largest value, unless few lie far above the others", "[widgets][plot]") {
  std::vector<double> falling, diverged;
  for (int k = 0; k < 200; ++k) falling.push_back(4 - 0.01 * k), diverged.push_back(k < 2 ? 5000 : 2);
  CHECK(usual_high({series_of(falling)}) == 4);
  CHECK(usual_high({series_of(diverged)}) == 2);
  CHECK(usual_high({series_of(diverged), series_of(falling)}) < 5);
  CHECK(std::isnan(usual_high({series_of({kNaN, kNaN})})));
  CHECK(std::isnan(usual_high({})));
}

TEST_CASE("plot: an axis has lines at round numbers within it, no more than are asked for", "[widgets][plot]") {
  CHECK(levels_of({.low = 0, .high = 1}, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(levels_of({.low = 0, .high = 2.5}, 2) == std::vector<double>{0, 2});
  CHECK(levels_of({.low = 1.35, .high = 3.1}, 2) == std::vector<double>{2, 3});
  CHECK(levels_of({.low = 0.1, .high = 1000, .logarithmic = true}, 1).size() == 5);
  CHECK(levels_of({.low = 1, .high = 8, .logarithmic = true, .base = 2}, 1) == std::vector<double>{1, 2, 4, 8});
  for (int most = 1; most < 12; ++most)
    for (double high = 0.01; high < 1e4; high *= 1.37)
      CHECK(levels_of({.low = -0.3 * high, .high = high}, most).size() <= static_cast<std::size_t>(most) + 2);
}

TEST_CASE("plot: whole numbers from 0 to 10 are numbered evenly, however wide the plot is", "[widgets][plot]") {
  Plot plot;
  plot.x.high = 10;
  for (float wide = 50; wide < 1600; wide += 1.37f) {
    CAPTURE(wide);
    const PlotScale scale(plot, {31.4f, 0}, {31.4f + wide, 200}, 15);
    CHECK(scale.numbers_along(0.2f * wide) == std::vector<double>{0, 2, 4, 6, 8, 10});
  }
}

TEST_CASE("plot: the upright axis has two numbers at least, where they have room", "[widgets][plot]") {
  for (const double high : {0.7, 1.0, 2.5, 7.0, 9.9, 30.0})
    for (float height = 60; height < 400; height += 7) {
      Plot plot;
      plot.y.high = high;
      CAPTURE(high, height);
      CHECK(PlotScale(plot, {0, 0}, {300, height}, 15).levels().size() >= 2);
    }
}

TEST_CASE("plot: the upright axis has three round numbers where they do not touch", "[widgets][plot]") {
  const auto levels = [](double low, double high, float height) {
    Plot plot;
    plot.y.low = low, plot.y.high = high;
    return PlotScale(plot, {0, 0}, {300, height}, 15).levels();
  };
  CHECK(levels(0, 1, 40) == std::vector<double>{0, 0.5, 1});  // Learn's low charts
  CHECK(levels(0, 1, 30) == std::vector<double>{0, 1});
  CHECK(levels(0, 3, 120) == std::vector<double>{0, 1, 2, 3});  // its loss
  CHECK(levels(0, 2.5, 110) == std::vector<double>{0, 1, 2});   // the trained loss
  CHECK(levels(0, 8, 60) == std::vector<double>{0, 5});
  CHECK(levels(0, 8, 80) == std::vector<double>{0, 2, 4, 6, 8});
  for (const double high : {0.7, 1.0, 2.5, 7.0, 9.9, 30.0})
    for (float height = 73; height < 400; height += 7) {
      CAPTURE(high, height);
      CHECK(levels(0, high, height).size() >= 3);
    }
}

TEST_CASE("plot: of whole numbers in a row those that are numbered are round, of others such as have room",
          "[widgets][plot]") {
  PlotDriver d({});
  for (int k = -9; k <= 9; ++k) d.plot.places.push_back(k);
  std::vector<double> numbered;
  const auto find = [&](float wide) {
    numbered.clear();
    d.plot.theme = &theme(false);
    const PlotScale scale(d.plot, {0, 0}, {190, 100}, 12);  // ten for each
    for (const int k : scale.numbered_places(wide)) numbered.push_back(d.plot.places[static_cast<std::size_t>(k)]);
  };
  find(8);
  CHECK(numbered.size() == 19);
  find(35);
  CHECK(numbered == std::vector<double>{-5, 0, 5});
  d.plot.places = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};  // nineteen for each
  find(50);
  CHECK(numbered == std::vector<double>{1, 4, 7, 10});
  d.plot.places = {1, 2, 4, 8, 16};
  find(60);
  CHECK(numbered.back() == 16);
  CHECK(numbered.size() < 5);
}

TEST_CASE("plot: a gap parts a line unless it bridges, and many values keep each pixel's least and most",
          "[widgets][plot]") {
  PlotDriver d({});
  const auto lines = [&] {
    Recording recording({600, 400});
    draw_plot(recording, "recorded", d.plot, {{0, 0}, {600, 400}});
    std::vector<std::size_t> points;
    for (const Recording::Mark& mark : recording.marks())
      if (const auto* path = std::get_if<Recording::Path>(&mark.what)) points.push_back(path->points.size());
    return points;
  };
  d.plot.series = {series_of({0, 1, kNaN, 1, 0})};
  d.plot.x.high = 4;
  std::vector<std::size_t> found;
  d.ui.draw_each_frame([&] { found = lines(); });
  d.ui.frames(1);
  CHECK(found == std::vector<std::size_t>{2, 2});
  d.plot.series[0].bridges = true;
  d.ui.frames(1);
  CHECK(found == std::vector<std::size_t>{4});
  std::vector<double> many(100000);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = k % 977 == 0 ? 1 : 0.5;
  d.plot.series = {series_of(many)};
  d.plot.x.high = 99999;
  d.ui.frames(1);
  REQUIRE(found.size() == 1);
  CHECK(found[0] < 1400);  // two for each pixel that has several
}

TEST_CASE("plot: labels stand at the ends of what they name, and what is moved far is joined to it",
          "[widgets][plot]") {
  PlotDriver d({});
  d.plot.x.high = 10;
  struct Found {
    ImVec2 left;  // of the label's middle
    float high = 0;
    int leaders = 0;  // of its colour that are no part of a series
  };
  std::vector<Recording::Mark> marks;
  d.ui.draw_each_frame([&] {
    Recording recording({600, 400});
    d.result = draw_plot(recording, "recorded", d.plot, {{0, 0}, {600, 400}});
    marks.assign(recording.marks().begin(), recording.marks().end());
  });
  const auto found = [&](const std::string& label) {
    d.ui.frames(1);
    Found at;
    ImU32 ink = 0;
    for (const Recording::Mark& mark : marks)
      if (const auto* words = std::get_if<Recording::Words>(&mark.what); words && words->meant == label)
        at.left = {words->corner.x, words->corner.y + 0.5f * words->size}, at.high = words->size, ink = words->ink;
    for (const Recording::Mark& mark : marks)
      if (const auto* path = std::get_if<Recording::Path>(&mark.what))
        at.leaders += path->points.size() == 2 && path->color == with_alpha(ink, 160) ? 1 : 0;
    return at;
  };
  const auto named = [](std::vector<double> values, const std::string& label, ImU32 color) {
    PlotSeries series = series_of(std::move(values));
    series.label = label, series.color = color;
    return series;
  };
  const ImU32 red = IM_COL32(200, 0, 0, 255), blue = IM_COL32(0, 0, 200, 255);
  const auto y_of = [&](double value) {
    return d.result.max.y - static_cast<float>(value) * (d.result.max.y - d.result.min.y);
  };
  SECTION("beside the plot, at the last value") {
    d.plot.series = {named(std::vector<double>(11, 0.8), "first", red),
                     named(std::vector<double>(11, 0.2), "second", blue)};
    const Found at = found("first");
    CHECK(at.left.x > d.result.max.x);
    CHECK(at.left.y == Approx(y_of(0.8)).margin(1));
    CHECK(at.leaders == 0);
  }
  SECTION("of what is to come, too: where the pale line ends, not at the value now") {
    std::vector<double> values(11, 0.2);
    values.back() = 0.9;
    d.plot.series = {named(values, "first", red)};
    d.plot.now = 3, d.plot.to_come = true;
    CHECK(found("first").left.y == Approx(y_of(0.9)).margin(1));
  }
  SECTION("where a mean is drawn, at the mean") {
    std::vector<double> values(11, 0.5);
    values.back() = 1;
    d.plot.series = {named(values, "first", red)};
    d.plot.series[0].mean_of = 1;
    CHECK(found("first").left.y == Approx(y_of(0.75)).margin(1));
  }
  SECTION("within the plot, where the line ends there") {
    d.plot.series = {named({0.5, 0.5, 0.7}, "first", red)};
    const Found at = found("first");
    CHECK(at.left.x > d.result.min.x + 0.2f * (d.result.max.x - d.result.min.x));
    CHECK(at.left.x < d.result.min.x + 0.25f * (d.result.max.x - d.result.min.x));
    CHECK(at.left.y == Approx(y_of(0.7)).margin(1));
    CHECK(at.leaders == 0);
  }
  SECTION("never over another line that goes on") {
    d.plot.series = {named({0.5, 0.5, 0.7}, "first", red), series_of(std::vector<double>(11, 0.7))};
    const Found at = found("first");
    CHECK(at.left.x > d.result.max.x);
    CHECK(at.leaders == 1);
  }
  SECTION("three at one height: the outer ones are moved by as much, and joined to it") {
    for (const char* label : {"first", "second", "third"})
      d.plot.series.push_back(named(std::vector<double>(11, 0.5), label, label == std::string("first") ? red : blue));
    const Found first = found("first"), second = found("second"), third = found("third");
    CHECK(second.left.y == Approx(y_of(0.5)).margin(1));
    CHECK(second.left.y - first.left.y == Approx(third.left.y - second.left.y).margin(0.1));
    CHECK(second.left.y - first.left.y >= first.high);
    CHECK(first.leaders == 1);
    CHECK(third.leaders == 1);  // of the two blue ones
  }
  SECTION("clear of the number at the right end of the axis, whatever the plot's height") {
    d.plot.series = {named(std::vector<double>(11, 0), "first", red)};
    const Found at = found("first");
    CHECK(at.left.y + 0.5f * at.high <= d.result.max.y + 0.4f * d.plot.unit + 0.1f);
  }
}

TEST_CASE("plot: points of another state are whole, and none is drawn beyond the axis", "[widgets][plot]") {
  PlotDriver d({});
  d.plot.x.high = 2;
  d.plot.series = {series_of({0, 0.5, 1})};
  d.plot.others = {series_of({0.1, 0.4, 0.9, 1})};
  int points = 0;
  d.ui.draw_each_frame([&] {
    Recording recording({600, 400});
    const PlotResult at = draw_plot(recording, "recorded", d.plot, {{0, 0}, {600, 400}});
    points = 0;
    for (const Recording::Mark& mark : recording.marks())
      if (const auto* disc = std::get_if<Recording::Disc>(&mark.what)) {
        ++points;
        CHECK(disc->center.x <= at.max.x + 0.5f);
        CHECK(mark.clip.pos.x <= disc->center.x - disc->radius);
        CHECK(mark.clip.right() >= disc->center.x + disc->radius);
      }
  });
  d.ui.frames(1);
  CHECK(points == 6);
}

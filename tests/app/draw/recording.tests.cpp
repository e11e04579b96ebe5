// What is drawn is recorded as it was meant, and read back from an SVG.
#include "app/draw/recording.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "app/draw/svg.h"
#include "app/widgets/matrix/heatmap.h"
#include "tests/support/contrast.h"
#include "tests/support/ui_driver.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

// A frame in which the callers draws into a recording.
struct RecordingStage {
  explicit RecordingStage(std::function<void(Canvas&, const Fonts&)> draw) : ui({400, 300}) {
    ui.draw_each_frame([this, draw = std::move(draw)] {
      recording.clear();
      draw(recording, ui.fonts());
    });
    ui.frames(1);
  }
  std::string svg(const std::string& part = "part") {
    const std::vector<const Recording::Mark*> marks = recording.of(part);
    return svg_text(marks, {extent(std::span(marks)), 85, "A & B", "made <here>", IM_COL32_WHITE}, ui.fonts());
  }
  UiDriver ui;
  Recording recording{{400, 300}};
};

Array<float> numbers(std::initializer_list<float> values, Index rows, Index cols) {
  Mat<float> matrix(rows, cols);
  std::copy(values.begin(), values.end(), matrix.data());
  return share(std::move(matrix));
}

constexpr float kNone = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("recording: what lies below layers comes first, and clips are those around", "[draw]") {
  RecordingStage s([](Canvas& canvas, const Fonts&) {
    const Canvas::Layers layers(canvas);
    canvas.fill({0, 0}, {10, 10}, IM_COL32(1, 2, 3, 255));
    {
      const Canvas::Below below(canvas);
      canvas.disc({5, 5}, 3, IM_COL32_WHITE);
    }
    const Canvas::Clip outer(canvas, {0, 0}, {50, 50});
    const Canvas::Clip inner(canvas, {20, 20}, {100, 100});
    canvas.line({0, 0}, {40, 40}, IM_COL32_WHITE);
    canvas.line({0, 0}, {10, 10}, IM_COL32_WHITE);
    canvas.line({0, 0}, {10, 10}, 0);                     // not seen
    canvas.disc({kNone, 0}, 1, IM_COL32_WHITE);           // nowhere
    canvas.line({0, 0}, {kInfinite, 0}, IM_COL32_WHITE);  // neither
  });
  const auto& marks = s.recording.marks();
  REQUIRE(marks.size() == 4);
  CHECK(std::holds_alternative<Recording::Disc>(marks[0].what));
  CHECK(std::holds_alternative<Recording::Fill>(marks[1].what));
  CHECK(marks[2].clip.pos.x == 20);
  CHECK(marks[2].clip.right() == 50);
  CHECK(seen(marks[2])->right() == Approx(41));
  CHECK_FALSE(seen(marks[3]));
}

TEST_CASE("recording: a room is as large as what is in it, and says what it lacks", "[draw]") {
  RecordingStage s([](Canvas& canvas, const Fonts&) {
    const Canvas::Part part(canvas, "part");
    for (const Scrolls scrolls : {Scrolls::down, Scrolls::no}) {
      canvas.begin_room(scrolls == Scrolls::down ? "down" : "still", {10, 10}, {100, 50}, scrolls);
      CHECK(canvas.visible().size.y == (scrolls == Scrolls::down ? 1e5f : 50));
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      CHECK(corner.x == 10);
      canvas.fill({10, 10}, {20, 200}, IM_COL32_WHITE);
      ImGui::Dummy({1, 190});
      canvas.end_room();
    }
  });
  CHECK(s.recording.lacking("part").y == 140);
  CHECK(s.recording.lacking("elsewhere").y == 0);
  CHECK(seen(s.recording.marks()[0])->size.y == 190);
  CHECK(seen(s.recording.marks()[1])->size.y == 50);
}

TEST_CASE("recording: a part within a part is of both", "[draw]") {
  RecordingStage s([](Canvas& canvas, const Fonts&) {
    const Canvas::Part outer(canvas, "outer");
    {
      const Canvas::Part inner(canvas, "inner");
      canvas.disc({1, 1}, 1, IM_COL32_WHITE);
    }
    canvas.disc({2, 2}, 1, IM_COL32_WHITE);
  });
  CHECK(s.recording.of("outer").size() == 2);
  CHECK(s.recording.of("inner").size() == 1);
  CHECK(s.recording.of("no such").empty());
}

TEST_CASE("recording: text is kept as it was meant, wrapped where it has no room", "[draw]") {
  RecordingStage s([](Canvas& canvas, const Fonts& fonts) {
    canvas.text_at(fonts.text, {0, 0}, IM_COL32_WHITE, "a long sentence that is cut", 60);
    canvas.text_within(fonts.text, {0, 50}, IM_COL32_WHITE, "words that go on in several lines", 80);
  });
  const auto& cut = std::get<Recording::Words>(s.recording.marks()[0].what);
  CHECK(cut.meant == "a long sentence that is cut");
  CHECK(cut.shown != cut.meant);
  CHECK(cut.width <= 60);
  const auto& lines = std::get<Recording::Words>(s.recording.marks()[1].what);
  CHECK(lines.lines > 2);
  CHECK(lines.width <= 80);
  std::string joined = lines.shown;
  std::ranges::replace(joined, '\n', ' ');
  CHECK(joined == "words that go on in several lines");
}

TEST_CASE("svg: cells have their values, marks for what is none, and no more than they need", "[draw][svg]") {
  const Array<float> values = numbers({0.1f, 0.1f, 1.0f / 3, kNone, kInfinite, -kInfinite, 5, 0, 0}, 3, 3);
  RecordingStage s([&](Canvas& canvas, const Fonts&) {
    const Canvas::Part part(canvas, "part");
    canvas.cells({{10, 20}, {70, 80}, values, 0, 0, 3, 3, {}});
  });
  const std::string svg = s.svg();
  CHECK_THAT(svg, Contains("data-values=\"0.1 0.1 0.33333334,nan inf masked,5 0 0\""));
  // Two of one colour, and a hair's breadth under the row below, lest the ground show between them.
  CHECK_THAT(svg, Contains("<rect x=\"0\" y=\"0\" width=\"40.05\" height=\"20.05\""));
  CHECK_THAT(svg, Contains("url(#masked"));
  CHECK_THAT(svg, Contains("url(#beyond"));
  CHECK_THAT(svg, Contains("<circle cx=\"30\" cy=\"30\""));  // infinite
  CHECK_THAT(svg, Contains("<title>A &amp; B</title>"));
  CHECK_THAT(svg, Contains("<desc>made &lt;here&gt;</desc>"));
  CHECK_THAT(svg, Contains("width=\"85mm\" height=\"85mm\" viewBox=\"0 0 60 60\""));
  CHECK(svg == s.svg());
}

// The screen's pixels are within 2 of 255 of the same colours: "heatmap renderer: magnified cells have the map's
// colours".
TEST_CASE("svg: each cell has the colour that its scale gives it, in every map", "[draw][svg]") {
  constexpr Index kRows = 5, kCols = 7;
  Mat<float> values(kRows, kCols);
  for (Index k = 0; k < values.size(); ++k) values.data()[k] = -1 + 2 * static_cast<float>(k * k % 37) / 36;
  const Array<float> matrix = share(Mat<float>(values));
  for (int map = 0; map < kColorMaps; ++map) {
    const ValueScale scale{static_cast<ColorMap>(map), -1, 1};
    RecordingStage s([&](Canvas& canvas, const Fonts&) {
      const Canvas::Part part(canvas, "part");
      canvas.cells({{0, 0}, {10 * kCols, 10 * kRows}, matrix, 0, 0, kRows, kCols, scale});
    });
    const std::string svg = s.svg();
    // The last rectangle over the middle of each cell.
    std::string seen[kRows][kCols];
    for (std::size_t at = svg.find("data-values"); (at = svg.find("<rect ", at)) != std::string::npos; ++at) {
      float x = 0, y = 0, width = 0, height = 0;
      char fill[8] = {};
      if (std::sscanf(svg.c_str() + at, R"(<rect x="%f" y="%f" width="%f" height="%f" fill="%7[#0-9a-f]")", &x, &y,
                      &width, &height, fill) != 5)
        continue;
      for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kCols; ++j) {
          const float mid_x = 10 * j + 5, mid_y = 10 * i + 5;
          if (x < mid_x && mid_x < x + width && y < mid_y && mid_y < y + height) seen[i][j] = fill;
        }
    }
    for (Index i = 0; i < kRows; ++i)
      for (Index j = 0; j < kCols; ++j) {
        const Rgb color = scale.color(values(i, j));
        char expected[8];
        std::snprintf(expected, sizeof expected, "#%02x%02x%02x", color.r, color.g, color.b);
        CAPTURE(map, i, j);
        CHECK(seen[i][j] == expected);
      }
  }
}

TEST_CASE("svg: spaces at the ends of words stay, and what XML has not is replaced", "[draw][svg]") {
  RecordingStage s([](Canvas& canvas, const Fonts& fonts) {
    const Canvas::Part part(canvas, "part");
    canvas.text_at(fonts.text, {0, 0}, IM_COL32(0, 0, 0, 255), " and Z");
    canvas.text_at(fonts.text, {0, 30}, IM_COL32(0, 0, 0, 255), "dog \xef\xbf\xbf cat \x01");
  });
  const std::string svg = s.svg();
  CHECK_THAT(svg, Contains("xml:space=\"preserve\"") && Contains("> and Z<"));
  CHECK_THAT(svg, Contains("dog \xef\xbf\xbd cat"));
  CHECK(svg.find('\x01') == std::string::npos);
}

TEST_CASE("svg: a large matrix is an image that loses nothing", "[draw][svg]") {
  Mat<float> large = Mat<float>::Random(80, 80);
  const Array<float> values = share(std::move(large));
  RecordingStage s([&](Canvas& canvas, const Fonts&) {
    const Canvas::Part part(canvas, "part");
    canvas.cells({{0, 0}, {160, 160}, values, 0, 0, 80, 80, {ColorMap::diverging_light, -1, 1}});
  });
  const std::string svg = s.svg();
  CHECK_THAT(svg, Contains("data:image/png;base64,iVBORw0KGgo"));
  CHECK_THAT(svg, Contains("image-rendering:pixelated"));
  CHECK(svg.size() < 200'000);
}

TEST_CASE("svg: words are text, as wide as on the screen, what was cut whole in a title", "[draw][svg]") {
  RecordingStage s([](Canvas& canvas, const Fonts& fonts) {
    const Canvas::Part part(canvas, "part");
    canvas.text_at(fonts.text, {0, 0}, IM_COL32(0, 0, 0, 255), "a <long> sentence that is cut", 60);
    canvas.text_turned(fonts.small, 10, {50, 50}, 45, IM_COL32(0, 0, 0, 255), "turned");
  });
  const std::string svg = s.svg();
  CHECK_THAT(svg, Contains("<title>a &lt;long&gt; sentence that is cut</title>"));
  CHECK_THAT(svg, Contains("rotate(-45)"));
  CHECK_THAT(svg, Contains("textLength"));
}

TEST_CASE("recording: a zero steps back behind other numbers, and stays readable", "[draw]") {
  for (const ColorMap map :
       {ColorMap::diverging_light, ColorMap::diverging_dark, ColorMap::sequential_light, ColorMap::sequential_dark}) {
    Heatmap heatmap;
    heatmap.matrix = numbers({0, 1, 1, 0}, 2, 2);
    heatmap.rows = heatmap.cols = 2;
    heatmap.min = {10, 10}, heatmap.max = {110, 110};
    heatmap.scale = {map, map == ColorMap::diverging_light || map == ColorMap::diverging_dark ? -1.0f : 0.0f, 1};
    RecordingStage s([&](Canvas& canvas, const Fonts& fonts) {
      const Canvas::Part part(canvas, "part");
      draw_cell_values(canvas, heatmap, fonts.mono_small);
    });
    int zeros = 0, ones = 0;
    for (const Recording::Mark* mark : s.recording.of("part")) {
      const auto& words = std::get<Recording::Words>(mark->what);
      const bool zero = words.shown.front() == '0';
      const double told = contrast(words.ink, to_u32(heatmap.scale.color(zero ? 0 : 1)));
      CAPTURE(static_cast<int>(map), words.shown, told);
      CHECK(told >= (zero ? 3 : 4.5));
      if (zero) CHECK(told < 5.5);
      (zero ? zeros : ones) += 1;
    }
    CHECK(zeros == 2);
    CHECK(ones == 2);
  }
}

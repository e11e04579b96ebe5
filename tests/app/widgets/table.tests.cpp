#include "app/widgets/table.h"

#include <catch2/catch.hpp>

#include "app/draw/nth.h"
#include "app/draw/recording.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

struct TableStage {
  explicit TableStage(Index rows = 3) : ui({400, 300}) {
    table.name = "t";
    table.columns = {{"name", {"name"}, 0, 100, TableColumn::Kind::words},
                     {"size", {"its", "size"}, 100, 160},
                     {"own", {}, 160, 200, TableColumn::Kind::drawn}};
    table.columns[1].sorts = true;
    table.rows = rows;
    table.header = 40, table.row = 20;
    table.cell = [this](Index row, int column) {
      asked.emplace_back(row, column);
      if (column == 0) return TableCell{"row " + std::to_string(row)};
      return TableCell{std::to_string(10 * row), 0, TableBar{real(row) / 2.0f - 0.5f, true, IM_COL32(1, 2, 3, 255)}};
    };
    table.drawn = [this](Index row, int, ImVec2 low, ImVec2 high) { drawn.push_back({row, low, high}); };
    ui.draw_each_frame([this] {
      const Fonts& fonts = ui.fonts();
      table.font = fonts.small, table.words = fonts.text, table.strong = fonts.strong, table.numbers = fonts.mono;
      table.theme = &theme(false);
      asked.clear(), drawn.clear(), recording.clear();
      Canvas& canvas = records ? static_cast<Canvas&>(recording) : ui.canvas;
      result = draw_table(canvas, table, {{10, 10}, {200, 160}});
    });
    ui.frames(2);
  }
  // The text that is drawn; none: fails.
  const Recording::Words& words(const std::string& text) {
    for (const Recording::Mark& mark : recording.marks())
      if (const auto* found = std::get_if<Recording::Words>(&mark.what); found && found->shown == text) return *found;
    FAIL("no text " << text);
    throw 0;
  }

  struct Drawn {
    Index row;
    ImVec2 low, high;
  };
  UiDriver ui;
  Table table;
  TableResult result;
  std::vector<std::pair<Index, int>> asked;
  std::vector<Drawn> drawn;
  Recording recording{{400, 300}};
  bool records = false;
};

}  // namespace

TEST_CASE("table: words begin at the left of their column, numbers end at its right", "[widgets][table]") {
  TableStage s;
  s.records = true;
  s.ui.frames(1);
  CHECK(s.words("row 1").corner.x == 14);
  CHECK(s.words("20").corner.x + s.words("20").width == Approx(10 + 160 - 4));
  CHECK(s.words("size").corner.y > s.words("its").corner.y);
  CHECK(s.words("size").corner.y + s.words("size").height <= 50);
  REQUIRE(s.drawn.size() == 3);
  CHECK(s.drawn[1].low.x == 170);
  CHECK(s.drawn[1].high.y == 90);
}

TEST_CASE("table: a bar goes from the middle to both sides where there are negative ones", "[widgets][table]") {
  TableStage s;
  s.records = true;
  s.ui.frames(1);
  std::vector<Recording::Fill> bars;
  for (const Recording::Mark& mark : s.recording.marks())
    if (const auto* fill = std::get_if<Recording::Fill>(&mark.what); fill && fill->above == IM_COL32(1, 2, 3, 255))
      bars.push_back(*fill);
  REQUIRE(bars.size() == 3);
  const float left = 10 + 100 + 4, right = 10 + 160 - 4, middle = 0.5f * (left + right);
  CHECK(bars[0].min.x == Approx(middle - 0.25f * (right - left)));
  CHECK(bars[0].max.x == Approx(middle));
  CHECK(bars[2].max.x == Approx(middle + 0.25f * (right - left)));
}

TEST_CASE("table: what is pointed at, in a row and in a header", "[widgets][table]") {
  TableStage s;
  s.ui.move(ImVec2{120, 75});
  s.ui.frames(1);
  CHECK(s.result.row == 1);
  CHECK(s.result.column == 1);
  CHECK_FALSE(s.result.in_header);
  s.ui.move(ImVec2{120, 30});
  s.ui.frames(1);
  CHECK(s.result.in_header);
  CHECK(s.result.column == 1);
  CHECK(s.result.row == -1);
  s.ui.leave();
  s.ui.frames(1);
  CHECK(s.result.column == -1);
  CHECK(s.ui.exists("t/column/size"));
}

TEST_CASE("table: of many rows those in sight are asked for, but for one that is held", "[widgets][table]") {
  TableStage s(1000);
  CHECK(s.drawn.size() < 10);
  CHECK(s.result.below > 990);
  s.table.is_held = [](Index row) { return row == 700; };
  s.ui.frames(1);
  CHECK(s.drawn.back().row == 700);
  int placed = 0;
  s.table.placed = [&](Index, ImVec2, ImVec2) { ++placed; };
  s.ui.frames(1);
  CHECK(placed == 1000);
  s.records = true;  // all of them, elsewhere
  s.ui.frames(1);
  CHECK(s.drawn.size() == 1000);
}

TEST_CASE("table: the mark of another text lies under the number", "[widgets][table]") {
  TableStage s;
  s.table.other = [](Index row, int column) { return row == 1 && column == 1 ? std::string("7") : std::string(); };
  s.records = true;
  s.ui.frames(1);
  int mark = -1, number = -1, at = 0;
  for (const Recording::Mark& drawn : s.recording.marks()) {
    const auto* corner = std::get_if<Recording::Polygon>(&drawn.what);
    if (corner && corner->color == theme(false).change) mark = at;
    const auto* words = std::get_if<Recording::Words>(&drawn.what);
    if (words && words->shown == "10") number = at;
    ++at;
  }
  CHECK(mark >= 0);
  CHECK(number > mark);
}

#include "app/widgets/matrix/heatmap.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

Heatmap heatmap_of(Index rows, Index cols, ImVec2 at = {10, 20}) {
  Heatmap heatmap;
  heatmap.min = at;
  heatmap.matrix = share(Mat<float>(Mat<float>::Constant(rows, cols, 0.5f)));
  heatmap.rows = rows;
  heatmap.cols = cols;
  return heatmap;
}

float width(const Heatmap& heatmap) { return heatmap.max.x - heatmap.min.x; }
float height(const Heatmap& heatmap) { return heatmap.max.y - heatmap.min.y; }

}  // namespace

TEST_CASE("fit_tile: cells are the largest whole pixels that fit", "[widgets][heatmap]") {
  Heatmap heatmap = heatmap_of(13, 13);
  fit_heatmap(heatmap, ImVec2(200, 300), true);
  CHECK(width(heatmap) == 13 * 15);  // floor(200 / 13)
  CHECK(height(heatmap) == 13 * 15);
  fit_heatmap(heatmap, ImVec2(200, 300), false);
  CHECK(width(heatmap) == 13 * 15);
  CHECK(height(heatmap) == 13 * 23);
}

TEST_CASE("fit_tile: below a pixel per cell the tile fills what there is", "[widgets][heatmap]") {
  Heatmap heatmap = heatmap_of(512, 512);
  fit_heatmap(heatmap, ImVec2(100, 120), true);
  CHECK(width(heatmap) == Approx(100));
  CHECK(height(heatmap) == Approx(100));
}

TEST_CASE("fit_tile: starts on a whole pixel and never vanishes", "[widgets][heatmap]") {
  Heatmap heatmap = heatmap_of(4, 4, ImVec2(10.4f, 20.6f));
  fit_heatmap(heatmap, ImVec2(0, -5), true);
  CHECK(heatmap.min.x == 10);
  CHECK(heatmap.min.y == 21);
  CHECK(width(heatmap) > 0);
  CHECK(height(heatmap) > 0);
}

TEST_CASE("cells: corners tile the picture", "[widgets][heatmap]") {
  Heatmap heatmap = heatmap_of(3, 7);
  fit_heatmap(heatmap, ImVec2(140, 90), false);
  CHECK(cell_min(heatmap, 0, 0).x == 10);
  CHECK(cell_max(heatmap, 2, 6).x == heatmap.max.x);
  CHECK(cell_max(heatmap, 2, 6).y == heatmap.max.y);
  CHECK(cell_max(heatmap, 1, 3).x == cell_min(heatmap, 1, 4).x);
  CHECK(cell_min(heatmap, 2, 5).x == 10 + 5 * 20);
  CHECK(cell_min(heatmap, 2, 5).y == 20 + 2 * 30);
}

TEST_CASE("heatmap: the pointer finds the cell under it, clicks and double clicks included", "[widgets][heatmap]") {
  UiDriver ui({400, 300});
  Heatmap heatmap = heatmap_of(9, 11);
  fit_heatmap(heatmap, ImVec2(330, 270), true);
  CellHit hit;
  int clicks = 0, doubles = 0;
  ui.draw_each_frame([&] {
    hit = draw_heatmap(ui.canvas, "picture", heatmap, "");
    ui::probe("picture");
    clicks += hit.clicked;
    doubles += hit.double_clicked;
  });
  const UiDriver::Rect rect = ui.rect("picture");
  for (const auto& [row, col] : {std::pair<Index, Index>{0, 0}, {8, 10}, {3, 7}}) {
    ui.move(rect.cell(row, col, 9, 11));
    CHECK(hit.hovered);
    CHECK(hit.row == row);
    CHECK(hit.col == col);
  }
  ui.move(ImVec2(heatmap.max.x - 0.5f, heatmap.max.y - 0.5f));
  CHECK(hit.row == 8);
  CHECK(hit.col == 10);
  ui.move(ImVec2(heatmap.max.x + 2, heatmap.max.y + 2));
  CHECK_FALSE(hit.hovered);
  CHECK(hit.row == -1);
  CHECK(clicks == 0);
  ui.click(rect.cell(4, 4, 9, 11));
  CHECK(clicks == 1);
  ui.frames(60);
  ui.double_click(rect.cell(4, 4, 9, 11));
  CHECK(clicks == 3);
  CHECK(doubles == 1);
  REQUIRE(ui.sink.heatmaps.size() == 1);
  CHECK(ui.sink.heatmaps[0].matrix == heatmap.matrix);
}

TEST_CASE("heatmap: values, grid, outlines and legends draw at any size and value", "[widgets][heatmap]") {
  UiDriver ui({800, 600});
  Mat<float> values(4, 4);
  values.setConstant(-0.25f);
  values(0, 1) = std::numeric_limits<float>::quiet_NaN();
  values(1, 1) = -std::numeric_limits<float>::infinity();
  values(2, 1) = std::numeric_limits<float>::infinity();
  values(3, 1) = 1e30f;
  const Array<float> matrix = share(std::move(values));
  ui.draw_each_frame([&] {
    ImFont* font = ImGui::GetIO().Fonts->Fonts.back();
    for (const float side : {400.0f, 40.0f, 2.0f}) {
      Heatmap heatmap = heatmap_of(4, 4);
      heatmap.matrix = matrix;
      heatmap.scale = {ColorMap::diverging_light, -1, 1};
      fit_heatmap(heatmap, ImVec2(side, side), true);
      CHECK(values_fit(heatmap, font) == (side == 400));
      draw_cell_grid(ui.canvas, heatmap, IM_COL32_WHITE);
      draw_cell_values(ui.canvas, heatmap, font);
      draw_cell_outline(ui.canvas, heatmap, 1, 2, 0, 4, IM_COL32(255, 0, 0, 255), 2);
      LegendOptions options;
      options.caption = "scores";
      options.masked = options.non_finite = true;
      legend(ui.canvas, heatmap.scale, ImVec2(10, 500), side, font, IM_COL32_WHITE, options);
    }
  });
  ui.frames(3);
  CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
}

TEST_CASE("heatmap: whole numbers have no decimals, and fit where others do not", "[widgets][heatmap]") {
  UiDriver ui({400, 300});
  ui.draw_each_frame([&] {
    ImFont* font = ImGui::GetIO().Fonts->Fonts.back();
    Heatmap heatmap = heatmap_of(2, 2);
    heatmap.scale = {ColorMap::diverging_light, -5, 5};
    const float digits = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, "−5").x + 6;
    heatmap.max = {heatmap.min.x + 2 * digits, heatmap.min.y + 100};
    heatmap.matrix = share(Mat<float>(Mat<float>::Constant(2, 2, 3)));
    CHECK(values_fit(heatmap, font));
    heatmap.matrix = share(Mat<float>(Mat<float>::Constant(2, 2, 3.5f)));
    CHECK_FALSE(values_fit(heatmap, font));
  });
  ui.frames(2);
}

#include "app/widgets/heatmap.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

HeatmapTile tile_of(Index rows, Index cols, ImVec2 at = {10, 20}) {
  HeatmapTile tile;
  tile.min = at;
  tile.matrix = share(Mat<float>(Mat<float>::Constant(rows, cols, 0.5f)));
  tile.rows = rows;
  tile.cols = cols;
  return tile;
}

float width(const HeatmapTile& tile) { return tile.max.x - tile.min.x; }
float height(const HeatmapTile& tile) { return tile.max.y - tile.min.y; }

}  // namespace

TEST_CASE("fit_tile: cells are the largest whole pixels that fit", "[widgets][heatmap]") {
  HeatmapTile tile = tile_of(13, 13);
  fit_tile(tile, ImVec2(200, 300), true);
  CHECK(width(tile) == 13 * 15);  // floor(200 / 13)
  CHECK(height(tile) == 13 * 15);
  fit_tile(tile, ImVec2(200, 300), false);
  CHECK(width(tile) == 13 * 15);
  CHECK(height(tile) == 13 * 23);
}

TEST_CASE("fit_tile: below a pixel per cell the tile fills what there is", "[widgets][heatmap]") {
  HeatmapTile tile = tile_of(512, 512);
  fit_tile(tile, ImVec2(100, 120), true);
  CHECK(width(tile) == Approx(100));
  CHECK(height(tile) == Approx(100));
}

TEST_CASE("fit_tile: starts on a whole pixel and never vanishes", "[widgets][heatmap]") {
  HeatmapTile tile = tile_of(4, 4, ImVec2(10.4f, 20.6f));
  fit_tile(tile, ImVec2(0, -5), true);
  CHECK(tile.min.x == 10);
  CHECK(tile.min.y == 21);
  CHECK(width(tile) > 0);
  CHECK(height(tile) > 0);
}

TEST_CASE("cells: corners tile the picture", "[widgets][heatmap]") {
  HeatmapTile tile = tile_of(3, 7);
  fit_tile(tile, ImVec2(140, 90), false);
  CHECK(cell_min(tile, 0, 0).x == 10);
  CHECK(cell_max(tile, 2, 6).x == tile.max.x);
  CHECK(cell_max(tile, 2, 6).y == tile.max.y);
  CHECK(cell_max(tile, 1, 3).x == cell_min(tile, 1, 4).x);
  CHECK(cell_min(tile, 2, 5).x == 10 + 5 * 20);
  CHECK(cell_min(tile, 2, 5).y == 20 + 2 * 30);
}

TEST_CASE("heatmap: the pointer finds the cell under it, clicks and double clicks included", "[widgets][heatmap]") {
  UiDriver ui({400, 300});
  HeatmapTile tile = tile_of(9, 11);
  fit_tile(tile, ImVec2(330, 270), true);
  CellHit hit;
  int clicks = 0, doubles = 0;
  ui.draw_each_frame([&] {
    hit = heatmap("picture", ui.sink, tile);
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
  ui.move(ImVec2(tile.max.x - 0.5f, tile.max.y - 0.5f));
  CHECK(hit.row == 8);
  CHECK(hit.col == 10);
  ui.move(ImVec2(tile.max.x + 2, tile.max.y + 2));
  CHECK_FALSE(hit.hovered);
  CHECK(hit.row == -1);
  CHECK(clicks == 0);
  ui.click(rect.cell(4, 4, 9, 11));
  CHECK(clicks == 1);
  ui.frames(60);
  ui.double_click(rect.cell(4, 4, 9, 11));
  CHECK(clicks == 3);
  CHECK(doubles == 1);
  REQUIRE(ui.sink.tiles.size() == 1);
  CHECK(ui.sink.tiles[0].matrix == tile.matrix);
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
      HeatmapTile tile = tile_of(4, 4);
      tile.matrix = matrix;
      tile.scale = {ColorMap::diverging_light, -1, 1};
      fit_tile(tile, ImVec2(side, side), true);
      CHECK(values_fit(tile, font) == (side == 400));
      draw_cell_grid(tile, IM_COL32_WHITE);
      draw_cell_values(tile, font);
      draw_cell_outline(tile, 1, 2, 0, 4, IM_COL32(255, 0, 0, 255), 2);
      LegendOptions options;
      options.caption = "scores";
      options.masked = options.non_finite = true;
      legend(tile.scale, ImVec2(10, 500), side, font, IM_COL32_WHITE, options);
    }
  });
  ui.frames(3);
  CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
}

TEST_CASE("heatmap: whole numbers have no decimals, and fit where others do not", "[widgets][heatmap]") {
  UiDriver ui({400, 300});
  ui.draw_each_frame([&] {
    ImFont* font = ImGui::GetIO().Fonts->Fonts.back();
    HeatmapTile tile = tile_of(2, 2);
    tile.scale = {ColorMap::diverging_light, -5, 5};
    const float digits = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, "−5").x + 6;
    tile.max = {tile.min.x + 2 * digits, tile.min.y + 100};
    tile.matrix = share(Mat<float>(Mat<float>::Constant(2, 2, 3)));
    CHECK(values_fit(tile, font));
    tile.matrix = share(Mat<float>(Mat<float>::Constant(2, 2, 3.5f)));
    CHECK_FALSE(values_fit(tile, font));
  });
  ui.frames(2);
}

#include "app/gl/heatmap_renderer.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "app/widgets/matrix/heatmap.h"
#include "core/linalg/random.h"
#include "tests/support/gl_stage.h"

using namespace hydra;
using namespace hydra::gl;
using hydra::testing::GlStage;
using hydra::testing::keep_picture;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Array<float> random_matrix(Index rows, Index cols, std::uint64_t seed, double low, double high) {
  Random random(seed);
  Mat<float> values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(random.uniform(low, high));
  return share(std::move(values));
}

Heatmap heatmap_at(ImVec2 min, ImVec2 size, const Array<float>& matrix, ValueScale scale = {}) {
  return {min, {min.x + size.x, min.y + size.y}, matrix, 0, 0, matrix->rows(), matrix->cols(), scale, 1};
}

bool near(const std::uint8_t* pixel, Rgb expected, int tolerance = 2) {
  return std::abs(pixel[0] - expected.r) <= tolerance && std::abs(pixel[1] - expected.g) <= tolerance &&
         std::abs(pixel[2] - expected.b) <= tolerance;
}

int pixels_near(const Image& image, int x0, int y0, int x1, int y1, Rgb color) {
  int count = 0;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) count += near(image.at(x, y), color) ? 1 : 0;
  }
  return count;
}

// The number of the heatmap's cells whose centre pixel is not of the map's colour; of those beyond its scale, which are
// hatched, that have no pixel of it or none of another.
int wrong_cells(const Image& image, const Heatmap& heatmap) {
  int wrong = 0;
  for (Index r = 0; r < heatmap.rows; ++r) {
    for (Index c = 0; c < heatmap.cols; ++c) {
      const ImVec2 low = cell_min(heatmap, r, c), high = cell_max(heatmap, r, c);
      const int x = static_cast<int>((low.x + high.x) / 2), y = static_cast<int>((low.y + high.y) / 2);
      const float value = (*heatmap.matrix)(heatmap.row0 + r, heatmap.col0 + c);
      const Rgb color = heatmap.scale.color(value);
      if (!heatmap.scale.is_beyond(value)) {
        wrong += !near(image.at(x, y), color);
        continue;
      }
      const int x1 = static_cast<int>(high.x), y1 = static_cast<int>(high.y), x0 = static_cast<int>(low.x),
                y0 = static_cast<int>(low.y), ends = pixels_near(image, x0, y0, x1, y1, color);
      wrong += ends == 0 || ends == (x1 - x0) * (y1 - y0);
    }
  }
  return wrong;
}

const ValueScale kSequential{ColorMap::sequential_light, 0, 1};
const ValueScale kDiverging{ColorMap::diverging_dark, -2, 2};

}  // namespace

TEST_CASE("heatmap renderer: magnified cells have the map's colours, in every map and beyond the range",
          "[gl][heatmap]") {
  const auto stage = GlStage::make(400, 200);
  if (!stage) return;
  for (int map = 0; map < kColorMaps; ++map) {
    const ValueScale scale{static_cast<ColorMap>(map), -1.5f, 1.25f};
    const Heatmap square = heatmap_at({3, 5}, {13 * 14, 13 * 14}, random_matrix(13, 13, 1, -2, 2), scale);
    const Heatmap wide = heatmap_at({200, 5}, {64 * 3, 12 * 5}, random_matrix(12, 64, 2, -1.5, 1.25), scale);
    const Image image = stage->frame([&](ImDrawList* list) {
      stage->heatmaps().add(list, square);
      stage->heatmaps().add(list, wide);
    });
    CAPTURE(map);
    CHECK(wrong_cells(image, square) == 0);
    CHECK(wrong_cells(image, wide) == 0);
    CHECK(near(image.at(1, 1), {0, 0, 0}, 0));
  }
}

TEST_CASE("heatmap renderer: blocks of one matrix share one upload", "[gl][heatmap]") {
  const auto stage = GlStage::make(600, 300);
  if (!stage) return;
  const Array<float> combined = random_matrix(24, 24, 5, -2, 2);
  std::vector<Heatmap> heatmaps;
  for (int head = 0; head < 4; ++head) {
    Heatmap heatmap = heatmap_at({10 + 140.f * head, 10}, {6 * 8, 24 * 8}, combined, kDiverging);
    heatmap.col0 = 6 * head;
    heatmap.cols = 6;
    heatmaps.push_back(heatmap);
  }
  const Image image = stage->frame([&](ImDrawList* list) {
    for (const Heatmap& heatmap : heatmaps) stage->heatmaps().add(list, heatmap);
  });
  for (const Heatmap& heatmap : heatmaps) CHECK(wrong_cells(image, heatmap) == 0);
  CHECK(stage->heatmaps().stats().textures.uploads == 1);
  CHECK(stage->heatmaps().stats().draws == 1);
}

TEST_CASE("heatmap renderer: a strong cell stays visible when cells are smaller than a pixel", "[gl][heatmap]") {
  const auto stage = GlStage::make(520, 130);
  if (!stage) return;
  Random random(9);
  for (const float side : {113.f, 100.f, 37.f, 64.f}) {
    for (int trial = 0; trial < 4; ++trial) {
      Mat<float> values = Mat<float>::Constant(512, 512, 0.01f);
      const auto pick = [&] { return static_cast<Index>(random.uniform(0, 512)); };
      values(pick(), pick()) = 1;
      const Heatmap heatmap =
          heatmap_at({8.f + static_cast<float>(trial), 7}, {side, side}, share(std::move(values)), kSequential);
      const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
      CAPTURE(side, trial);
      CHECK(pixels_near(image, 0, 0, 520, 130, kSequential.color(1)) >= 1);
    }
  }
}

TEST_CASE("heatmap renderer: a diagonal stays whole when minified, and masked cells do not hide it", "[gl][heatmap]") {
  const auto stage = GlStage::make(120, 120);
  if (!stage) return;
  Mat<float> values = Mat<float>::Constant(512, 512, -kInf);
  values.diagonal().setConstant(-2);
  const Heatmap heatmap = heatmap_at({4, 4}, {100, 100}, share(std::move(values)), kDiverging);
  const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
  keep_picture(image, "minified-diagonal");
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    CHECK(pixels_near(image, 4, 4 + i, 104, 5 + i, kDiverging.color(-2)) >= 1);
    CHECK(near(image.at(4 + i, 4 + i), kDiverging.color(-2)));
  }
}

TEST_CASE("heatmap renderer: a minified block shows nothing of its neighbours", "[gl][heatmap]") {
  const auto stage = GlStage::make(200, 200);
  if (!stage) return;
  for (const Index width : {5, 8, 13}) {  // d_k that do and do not divide the levels
    Mat<float> values = Mat<float>::Constant(300, 6 * width, 2);
    values.middleCols(2 * width, width).setConstant(-1);
    Heatmap heatmap = heatmap_at({10, 10}, {3, 40}, share(std::move(values)), kDiverging);
    heatmap.col0 = 2 * width;
    heatmap.cols = width;
    const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
    CAPTURE(width);
    CHECK(pixels_near(image, 10, 10, 13, 50, kDiverging.color(-1)) == 3 * 40);
  }
}

TEST_CASE("heatmap renderer: cells squeezed along one axis keep their own columns apart", "[gl][heatmap]") {
  const auto stage = GlStage::make(200, 200);
  if (!stage) return;
  Mat<float> values = Mat<float>::Zero(512, 8);
  for (Index c = 0; c < 8; ++c) values(37 + 50 * c, c) = 0.25f * static_cast<float>(c + 1);
  const Heatmap heatmap = heatmap_at({10, 10}, {8 * 12, 120}, share(std::move(values)), kDiverging);
  const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
  keep_picture(image, "squeezed-rows");
  for (int c = 0; c < 8; ++c) {
    CAPTURE(c);
    const int x = 10 + 12 * c;
    CHECK(pixels_near(image, x, 10, x + 12, 130, kDiverging.color(0.25f * static_cast<float>(c + 1))) >= 12);
    CHECK(pixels_near(image, x, 10, x + 12, 130, kDiverging.color(0)) >= 12 * 117);
  }
}

TEST_CASE("heatmap renderer: the frame of what has changed leaves the room of a small cell's digits", "[gl][heatmap]") {
  const auto stage = GlStage::make(80, 60);
  if (!stage) return;
  const Array<float> changed = share(Mat<float>(Mat<float>::Constant(1, 1, 1.0f)));
  Heatmap mark = heatmap_at({10, 10}, {26, 18}, changed, kSequential);  // as Flow's C where its numbers just fit
  mark.scale = {mark.scale.map, 0, 1};
  mark.mark = IM_COL32(58, 138, 0, 255);
  const Image image = stage->frame([&](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {80, 60}, IM_COL32_WHITE);
    stage->heatmaps().add(list, mark);
  });
  CHECK(pixels_near(image, 10, 10, 36, 28, {58, 138, 0}) >= 2 * 26);      // it is there
  CHECK(pixels_near(image, 13, 13, 33, 25, {255, 255, 255}) == 20 * 12);  // and nothing of it within
}

TEST_CASE("heatmap renderer: masked, infinite and NaN cells have marks of their own, large and small",
          "[gl][heatmap]") {
  const auto stage = GlStage::make(320, 140);
  if (!stage) return;
  Mat<float> values(2, 3);
  values << 0, -kInf, 1, kNan, kInf, 0.5f;
  const Array<float> matrix = share(std::move(values));
  const Heatmap large = heatmap_at({10, 10}, {180, 120}, matrix, kSequential);
  const Heatmap small = heatmap_at({220, 10}, {9, 6}, matrix, kSequential);
  const Image image = stage->frame([&](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {320, 140}, IM_COL32_WHITE);
    stage->heatmaps().add(list, large);
    stage->heatmaps().add(list, small);
  });
  keep_picture(image, "marks");
  const Rgb warning{217, 51, 140};
  const auto share_of = [&](int x0, int y0, int x1, int y1, Rgb color) {
    return static_cast<double>(pixels_near(image, x0, y0, x1, y1, color)) / ((x1 - x0) * (y1 - y0));
  };
  CHECK(share_of(10, 10, 70, 70, kSequential.color(0)) == 1);
  CHECK(share_of(130, 10, 190, 70, kSequential.color(1)) == 1);
  CHECK(share_of(70, 10, 130, 70, warning) == 0);  // masked: quiet, most of it ground
  CHECK(near(image.at(40, 100), warning));         // NaN: the crossing
  CHECK_FALSE(near(image.at(40, 86), warning));    // above the crossing, between the arms
  CHECK(near(image.at(100, 100), warning));        // +inf: the middle of a disc
  CHECK(near(image.at(100, 86), warning));         // and around it
  CHECK(share_of(10, 70, 70, 130, warning) < share_of(70, 70, 130, 130, warning));
  CHECK(share_of(220, 13, 226, 16, warning) == 1);  // small: plain
  CHECK(share_of(223, 10, 226, 13, warning) == 0);
}

TEST_CASE("heatmap renderer: what the mask hides looks masked whatever its value, large and small", "[gl][heatmap]") {
  const auto stage = GlStage::make(320, 140);
  if (!stage) return;
  const Array<float> ones = share(Mat<float>(Mat<float>::Constant(12, 12, 1)));
  Mat<float> hidden = Mat<float>::Zero(12, 12);
  for (Index i = 0; i < 12; ++i) hidden.row(i).tail(11 - i).setConstant(-kInf);
  const Array<float> causal = share(std::move(hidden));
  Heatmap large = heatmap_at({10, 10}, {120, 120}, ones, kSequential),
          half = heatmap_at({150, 10}, {6, 6}, ones, kSequential);
  Heatmap open = heatmap_at({180, 10}, {120, 120}, ones, kSequential);
  large.hidden = half.hidden = causal;
  const Image image = stage->frame([&](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {320, 140}, IM_COL32_WHITE);
    for (const Heatmap& heatmap : {large, half, open}) stage->heatmaps().add(list, heatmap);
  });
  keep_picture(image, "hidden");
  const Rgb full = kSequential.color(1);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j) {
      CAPTURE(i, j);
      const int x = static_cast<int>(10 * j) + 15, y = static_cast<int>(10 * i) + 15;
      CHECK(near(image.at(x, y), full) == (j <= i));
      CHECK(near(image.at(x + 170, y), full));
    }
  // Two cells to a pixel: it is hidden only where all of them are.
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) CHECK(near(image.at(150 + j, 10 + i), full) == (j <= i));
}

TEST_CASE("heatmap renderer: alpha dims towards what is behind", "[gl][heatmap]") {
  const auto stage = GlStage::make(60, 60);
  if (!stage) return;
  Heatmap heatmap = heatmap_at({10, 10}, {40, 40}, share(Mat<float>(Mat<float>::Constant(1, 1, 1))), kSequential);
  heatmap.alpha = 0.5f;
  const Image image = stage->frame([&](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {60, 60}, IM_COL32(100, 100, 100, 255));
    stage->heatmaps().add(list, heatmap);
  });
  const Rgb full = kSequential.color(1);
  const auto half = [](std::uint8_t c) { return static_cast<std::uint8_t>((c + 100) / 2); };
  CHECK(near(image.at(30, 30), {half(full.r), half(full.g), half(full.b)}));
}

TEST_CASE("heatmap renderer: tiles keep ImGui's order and clipping", "[gl][heatmap]") {
  const auto stage = GlStage::make(100, 100);
  if (!stage) return;
  const Heatmap heatmap = heatmap_at({10, 10}, {80, 80}, share(Mat<float>(Mat<float>::Constant(2, 2, 1))), kSequential);
  const Image image = stage->frame([&](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {50, 100}, IM_COL32(0, 255, 0, 255));
    list->PushClipRect({0, 0}, {100, 60});
    stage->heatmaps().add(list, heatmap);
    list->PopClipRect();
    list->AddRectFilled({60, 0}, {100, 100}, IM_COL32(0, 0, 255, 255));
  });
  const Rgb full = kSequential.color(1);
  CHECK(near(image.at(30, 30), full));
  CHECK(near(image.at(55, 59), full));
  CHECK(near(image.at(55, 60), {0, 0, 0}));
  CHECK(near(image.at(30, 60), {0, 255, 0}));
  CHECK(near(image.at(70, 30), {0, 0, 255}));
}

TEST_CASE("heatmap renderer: consecutive tiles share a callback, drawing between starts another", "[gl][heatmap]") {
  const auto stage = GlStage::make(100, 100);
  if (!stage) return;
  const Array<float> matrix = random_matrix(4, 4, 1, 0, 1);
  const auto add = [&](ImDrawList* list, float x) { stage->heatmaps().add(list, heatmap_at({x, 10}, {8, 8}, matrix)); };
  stage->frame([&](ImDrawList* list) {
    add(list, 10);
    add(list, 20);
    add(list, 30);
    list->AddLine({0, 0}, {5, 5}, IM_COL32_WHITE);
    add(list, 40);
    list->PushClipRect({0, 0}, {60, 60});
    add(list, 50);
    list->PopClipRect();
    add(list, 200);  // off screen: not drawn at all
  });
  CHECK(stage->heatmaps().stats().heatmaps == 5);
  CHECK(stage->heatmaps().stats().callbacks == 3);
  CHECK(stage->heatmaps().stats().draws == 3);
}

TEST_CASE("heatmap renderer: 600 matrices fill more than one page, and a steady frame uploads and allocates nothing",
          "[gl][heatmap]") {
  const auto stage = GlStage::make(400, 400);
  if (!stage) return;
  std::vector<Heatmap> heatmaps;
  for (int i = 0; i < 600; ++i) {
    const ImVec2 at(2 + 13.f * static_cast<float>(i % 30), 2 + 13.f * static_cast<float>(i / 30));
    heatmaps.push_back(
        heatmap_at(at, {12, 12}, random_matrix(12, 12, static_cast<std::uint64_t>(i), -2, 2), kDiverging));
  }
  const auto draw = [&](ImDrawList* list) {
    for (const Heatmap& heatmap : heatmaps) stage->heatmaps().add(list, heatmap);
  };
  const Image first = stage->frame(draw);
  int wrong = 0;
  for (const Heatmap& heatmap : heatmaps) wrong += wrong_cells(first, heatmap);
  CHECK(wrong == 0);
  const auto before = stage->heatmaps().stats();
  CHECK(before.textures.layers == 600);
  CHECK(before.textures.pages == 3);
  CHECK(before.draws == 3);
  const Image second = stage->frame(draw);
  CHECK(second == first);
  CHECK(stage->heatmaps().stats().textures.uploads == before.textures.uploads);
  CHECK(stage->heatmaps().stats().textures.allocations == before.textures.allocations);
}

TEST_CASE("heatmap renderer: an edit every frame recycles layers, memory stays bounded, old matrices are let go",
          "[gl][heatmap]") {
  const auto stage = GlStage::make(200, 200);
  if (!stage) return;
  std::weak_ptr<const void> first_seen;
  for (int frame = 0; frame < 400; ++frame) {
    const Array<float> matrix = random_matrix(300, 300, static_cast<std::uint64_t>(frame), -2, 2);
    if (frame == 0) first_seen = matrix.owner().values;
    Heatmap heatmap = heatmap_at({10, 10}, {150, 150}, matrix, kDiverging);
    if (frame % 100 == 99) {  // magnified, so that each cell can be read back
      heatmap.rows = heatmap.cols = 15;
      const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
      CHECK(wrong_cells(image, heatmap) == 0);
    } else {
      stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
    }
  }
  const auto stats = stage->heatmaps().stats();
  CHECK(first_seen.expired());
  CHECK(stats.textures.uploads == 400);
  CHECK(stats.textures.bytes <= (64u << 20));
  CHECK(stats.textures.layers <= 32);
}

TEST_CASE("heatmap renderer: draw data rendered twice gives the same picture", "[gl][heatmap]") {
  const auto stage = GlStage::make(64, 64);
  if (!stage) return;
  const Heatmap heatmap = heatmap_at({4, 4}, {48, 48}, random_matrix(6, 6, 1, 0, 1));
  const Image once = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
  CHECK(stage->render_again() == once);
}

TEST_CASE("heatmap renderer: a layout that is thrown away leaves nothing behind", "[gl][heatmap]") {
  const auto stage = GlStage::make(64, 64);
  if (!stage) return;
  const Heatmap stale = heatmap_at({4, 4}, {48, 48}, random_matrix(6, 6, 1, 0, 1));
  const Heatmap shown = heatmap_at({4, 4}, {48, 48}, random_matrix(6, 6, 2, 0, 1));
  stage->lay_out([&](ImDrawList* list) { stage->heatmaps().add(list, stale); });
  const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, shown); });
  CHECK(wrong_cells(image, shown) == 0);
  CHECK(stage->heatmaps().stats().textures.uploads == 1);
}

TEST_CASE("heatmap renderer: a picture without memory says so in the next frame, and the others are drawn",
          "[gl][heatmap]") {
  const auto stage = GlStage::make(200, 100);
  if (!stage) return;
  // Wider than any driver's textures: refused as a texture is for which there is no memory.
  const Heatmap endless = heatmap_at({100, 0}, {90, 90}, share(Mat<float>(Mat<float>::Ones(1, 1 << 20))));
  const Heatmap usual = heatmap_at({0, 0}, {90, 90}, random_matrix(3, 3, 1, 0, 1), kSequential);
  CHECK_FALSE(stage->heatmaps().lacks_memory(endless.matrix));
  const Image image = stage->frame([&](ImDrawList* list) {
    stage->heatmaps().add(list, endless);
    stage->heatmaps().add(list, usual);
  });
  CHECK(wrong_cells(image, usual) == 0);
  CHECK(stage->heatmaps().lacks_memory(endless.matrix));
  CHECK_FALSE(stage->heatmaps().lacks_memory(usual.matrix));
  CHECK(stage->heatmaps().take_refusals_changed());
  CHECK_FALSE(stage->heatmaps().take_refusals_changed());
  stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, usual); });
  CHECK_FALSE(stage->heatmaps().lacks_memory(endless.matrix));
}

TEST_CASE("heatmap renderer: the strongest cells stand for the whole, and only they become a texture",
          "[gl][heatmap]") {
  const auto stage = GlStage::make(200, 100);
  if (!stage) return;
  Heatmap heatmap = heatmap_at({0, 0}, {64, 64}, random_matrix(1024, 1024, 3, 0, 1), kSequential);
  heatmap.strongest = random_matrix(64, 64, 4, 0, 1);
  const std::size_t before = stage->heatmaps().stats().textures.bytes;
  const Image image = stage->frame([&](ImDrawList* list) { stage->heatmaps().add(list, heatmap); });
  CHECK(wrong_cells(image, heatmap_at({0, 0}, {64, 64}, heatmap.strongest, kSequential)) == 0);
  CHECK(stage->heatmaps().stats().textures.layers == 1);
  CHECK(stage->heatmaps().stats().textures.bytes - before <= (32u << 20));
}

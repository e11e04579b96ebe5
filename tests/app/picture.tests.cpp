// What stands in the picture is what stands in the trace: cell colours read back from rendered frames, and the render
// command's file.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <limits>

#include "app/cli/commands/render.h"
#include "app/offscreen_frame.h"
#include "core/error.h"
#include "core/io/file.h"
#include "tests/support/gl_stage.h"

using namespace hydra;
using hydra::testing::keep_picture;

namespace {

// Draws as the renderer does, and keeps what it was asked to draw in the last frame.
struct RecordingSink final : HeatmapSink {
  explicit RecordingSink(HeatmapSink& target) : drawn_by(target) {}
  void add(ImDrawList* list, const Heatmap& heatmap) override {
    if (frame != ImGui::GetFrameCount()) heatmaps.clear();
    frame = ImGui::GetFrameCount();
    heatmaps.push_back(heatmap);
    clips.resize(heatmaps.size());
    clips.back() = {list->GetClipRectMin(), list->GetClipRectMax()};
    drawn_by.add(list, heatmap);
  }
  HeatmapSink& drawn_by;
  int frame = -1;
  std::vector<Heatmap> heatmaps;
  std::vector<std::pair<ImVec2, ImVec2>> clips;
};

struct Tally {
  int cells = 0;
  int wrong = 0;     // cells without a single pixel of their value's colour
  double right = 0;  // the share of all pixels that have their cell's colour
};

bool near(const std::uint8_t* pixel, Rgb expected) {
  return std::abs(pixel[0] - expected.r) <= 2 && std::abs(pixel[1] - expected.g) <= 2 &&
         std::abs(pixel[2] - expected.b) <= 2;
}

// Compares the pixels of a heatmap within the clip rectangle with the colours of their cells' values. Numbers and
// outlines may cover some pixels of a cell, but not all of them.
Tally compare(const Image& image, const Heatmap& heatmap, std::pair<ImVec2, ImVec2> clip) {
  struct Count {
    int pixels = 0, right = 0;
  };
  std::vector<Count> counts(static_cast<std::size_t>(heatmap.rows * heatmap.cols));
  const float width = (heatmap.max.x - heatmap.min.x) / static_cast<float>(heatmap.cols);
  const float height = (heatmap.max.y - heatmap.min.y) / static_cast<float>(heatmap.rows);
  const auto first = [](float low, float clip_low) {
    return static_cast<int>(std::ceil(std::max(low, clip_low) - 0.5f));
  };
  for (int y = first(heatmap.min.y, clip.first.y);
       static_cast<float>(y) + 0.5f < std::min(heatmap.max.y, clip.second.y); ++y) {
    for (int x = first(heatmap.min.x, clip.first.x);
         static_cast<float>(x) + 0.5f < std::min(heatmap.max.x, clip.second.x); ++x) {
      const float col = (static_cast<float>(x) + 0.5f - heatmap.min.x) / width;
      const float row = (static_cast<float>(y) + 0.5f - heatmap.min.y) / height;
      // A pixel whose centre meets a boundary may fall to either side.
      if (std::abs(col - std::round(col)) * width < 0.01f || std::abs(row - std::round(row)) * height < 0.01f) continue;
      const auto r = static_cast<Index>(row), c = static_cast<Index>(col);
      Count& count = counts[static_cast<std::size_t>(r * heatmap.cols + c)];
      ++count.pixels;
      count.right +=
          near(image.at(x, y), heatmap.scale.color((*heatmap.matrix)(heatmap.row0 + r, heatmap.col0 + c))) ? 1 : 0;
    }
  }
  Tally tally;
  int pixels = 0, right = 0;
  for (const Count& count : counts) {
    tally.cells += count.pixels > 0 ? 1 : 0;
    tally.wrong += count.pixels > 0 && count.right == 0 ? 1 : 0;
    pixels += count.pixels;
    right += count.right;
  }
  tally.right = static_cast<double>(right) / std::max(pixels, 1);
  return tally;
}

bool magnified(const Heatmap& heatmap) {
  return heatmap.max.x - heatmap.min.x >= static_cast<float>(heatmap.cols) &&
         heatmap.max.y - heatmap.min.y >= static_cast<float>(heatmap.rows);
}

const Heatmap* heatmap_of(const RecordingSink& sink, const Array<float>& matrix) {
  for (const Heatmap& heatmap : sink.heatmaps) {
    if (heatmap.matrix == matrix) return &heatmap;
  }
  return nullptr;
}

void check_all_cells(const Image& image, const RecordingSink& sink, int at_least) {
  int cells = 0;
  for (std::size_t k = 0; k < sink.heatmaps.size(); ++k) {
    const Heatmap& heatmap = sink.heatmaps[k];
    if (!magnified(heatmap) || !heatmap.matrix->allFinite() || heatmap.alpha != 1) continue;
    const Tally tally = compare(image, heatmap, sink.clips[k]);
    if (tally.cells == 0) continue;  // scrolled out of view
    CAPTURE(k, heatmap.min.x, heatmap.min.y, heatmap.max.x, heatmap.max.y, heatmap.rows, heatmap.cols, tally.cells);
    CHECK(tally.wrong == 0);
    CHECK(tally.right > 0.8);
    cells += tally.cells;
  }
  CHECK(cells >= at_least);
}

Document document_of(const char* text) { return parse_document(text, "test"); }

struct Scratch {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("hydrascope-render-" + std::to_string(::getpid()));
  Scratch() { std::filesystem::create_directories(folder); }
  ~Scratch() { std::filesystem::remove_all(folder); }
  std::string file(const char* name) const { return (folder / name).string(); }
};

std::string refusal(RenderOptions options) {
  try {
    run_render(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("picture: Flow shows the trace's own matrices, each cell in the colour of its value", "[gl][picture]") {
  const auto stage = testing::make_offscreen_stage();
  if (!stage) return;
  RecordingSink sink(stage->heatmaps());
  App app(default_document(), "", sink);
  const Image image = render_frame(app, *stage, 1600, 1000);
  keep_picture(image, "flow");
  const LayerTrace<float>& layer = app.trace().layers.front();
  for (std::size_t head = 0; head < layer.heads.size(); ++head) {
    const Heatmap* heatmap = heatmap_of(sink, layer.heads[head].attention);
    CAPTURE(head);
    REQUIRE(heatmap);
    CHECK(heatmap->scale.low == 0);
    CHECK(heatmap->scale.high == 1);
  }
  for (const Array<float>& matrix :
       {app.trace().X, layer.input.weights.W_Q, layer.heads[0].Q, layer.heads[0].K, layer.heads[0].V,
        layer.heads[0].scores, layer.heads[0].output, layer.concat, layer.input.weights.W_O, layer.output}) {
    CHECK(heatmap_of(sink, matrix));
  }
  check_all_cells(image, sink, 9000);
}

TEST_CASE("picture: Heads on the dark ground, and after an edit, each cell in the colour of its value",
          "[gl][picture]") {
  const auto stage = testing::make_offscreen_stage();
  if (!stage) return;
  RecordingSink sink(stage->heatmaps());
  App app(document_of(R"({"hydrascope": 1, "sentence": "a b c d e f g", "d_model": 12, "layers": [{"heads": 3}]})"), "",
          sink);
  app.set(app.view().view, ViewId::heads);
  app.set(app.view().dark, true);
  app.set(app.view().focused_head, 1);
  const Image image = render_frame(app, *stage, 1200, 800);
  keep_picture(image, "heads");
  const LayerTrace<float>& layer = app.trace().layers.front();
  for (const auto& head : layer.heads) CHECK(heatmap_of(sink, head.attention));
  check_all_cells(image, sink, 4 * 49);
}

TEST_CASE("picture: masked cells show the ground through a hatch, in scores and in attention", "[gl][picture]") {
  const auto stage = testing::make_offscreen_stage();
  if (!stage) return;
  RecordingSink sink(stage->heatmaps());
  App app(document_of(
              R"({"hydrascope": 1, "sentence": "a b c d", "d_model": 8, "layers": [{"heads": 2, "mask": "causal"}]})"),
          "", sink);
  const Image image = render_frame(app, *stage, 1600, 1000);
  keep_picture(image, "causal");
  const auto& head = app.trace().layers.front().heads[0];
  REQUIRE((*head.scores)(0, 3) == -std::numeric_limits<float>::infinity());
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(theme(false).ground);
  const int lightness = static_cast<int>(255 * color.y);
  for (const auto& matrix : {head.scores, head.attention}) {
    const Heatmap* heatmap = heatmap_of(sink, matrix);
    REQUIRE(heatmap);
    const ImVec2 low = cell_min(*heatmap, 0, 3), high = cell_max(*heatmap, 0, 3);
    int ground = 0, ink = 0;
    for (int y = static_cast<int>(low.y) + 2; y < static_cast<int>(high.y) - 2; ++y) {
      for (int x = static_cast<int>(low.x) + 2; x < static_cast<int>(high.x) - 2; ++x) {
        const int difference = lightness - image.at(x, y)[1];
        ground += std::abs(difference) <= 10 ? 1 : 0;
        ink += difference > 30 ? 1 : 0;
      }
    }
    CHECK(ground > 3 * ink);
    CHECK(ink > 0);
  }
}

TEST_CASE("render: the same options give the same bytes, other options others", "[gl][render]") {
  if (!testing::make_offscreen_stage()) return;
  const Scratch scratch;
  RenderOptions options;
  options.file = scratch.file("small.json");  // its heads' names take little to measure
  std::ofstream(options.file) << R"({"hydrascope": 1, "d_model": 16, "layers": [{"heads": 4}]})";
  options.size = "900x600";
  const auto bytes_of = [&](const RenderOptions& o, const char* name) {
    RenderOptions named = o;
    named.out = scratch.file(name);
    REQUIRE(run_render(named) == 0);
    return read_whole(named.out);
  };
  const std::string first = bytes_of(options, "a.png");
  CHECK(first.substr(1, 3) == "PNG");
  CHECK(bytes_of(options, "b.png") == first);
  std::vector<std::string> others;
  const auto other = [&](auto change) {
    RenderOptions changed = options;
    change(changed);
    others.push_back(bytes_of(changed, "c.png"));
    CHECK(others.back() != first);
  };
  other([](RenderOptions& o) { o.view = "heads"; });
  other([](RenderOptions& o) { o.view = "roles"; });
  other([](RenderOptions& o) { o.view = "tradeoff", o.page = "tiles"; });
  other([](RenderOptions& o) { o.relation = "coreference"; });  // outlined
  other([](RenderOptions& o) { o.theme = "dark"; });
  other([](RenderOptions& o) { o.scale = 1.5; });
  other([](RenderOptions& o) { o.presentation = true; });
  other([](RenderOptions& o) { o.head = 3; });
  other([](RenderOptions& o) { o.select = "attention:2,3"; });
  other([](RenderOptions& o) { o.sets = {"/layers/0/heads=2"}; });
  other([](RenderOptions& o) { o.size = "901x600"; });
  RenderOptions unmarked = options;
  unmarked.relation = "relative-clause";  // the sentence has none
  CHECK(bytes_of(unmarked, "c.png") == first);
  std::sort(others.begin(), others.end());
  CHECK(std::unique(others.begin(), others.end()) == others.end());
}

TEST_CASE("render: a bad option is one sentence that says what would be right, and nothing is written",
          "[gl][render]") {
  const Scratch scratch;
  RenderOptions good;
  good.out = scratch.file("out.png");
  const auto with = [&](auto change) {
    RenderOptions options = good;
    change(options);
    return refusal(options);
  };
  using Catch::Contains;
  for (const char* size :
       {"", "800", "800x", "x600", "800x600x2", "-800x600", "800x63", "100000x600", "800 x 600", "8e2x600"}) {
    CAPTURE(size);
    CHECK_THAT(with([&](RenderOptions& o) { o.size = size; }), Contains("--size") && Contains("1600x1000"));
  }
  CHECK_THAT(with([](RenderOptions& o) { o.view = "mixing", o.page = "rank"; }),
             Contains("\"rank\"") && Contains("output, shares, silencing"));
  CHECK_THAT(with([](RenderOptions& o) { o.view = "design", o.page = "rank"; }), Contains("it has only one"));
  CHECK_THAT(with([](RenderOptions& o) { o.view = "floor"; }),
             Contains("\"floor\"") && Contains("flow, heads, mixing, stream, likeness, tradeoff, roles, design"));
  CHECK_THAT(with([](RenderOptions& o) { o.relation = "cause"; }), Contains("\"cause\"") && Contains("coreference, "));
  CHECK_THAT(with([](RenderOptions& o) { o.theme = "blue"; }), Contains("\"blue\"") && Contains("light or dark"));
  for (const double scale : {0.0, -1.0, 100.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THAT(with([&](RenderOptions& o) { o.scale = scale; }), Contains("--scale"));
  }
  CHECK_THAT(with([](RenderOptions& o) { o.out = ""; }), Contains("--out"));
  CHECK_THAT(with([](RenderOptions& o) { o.file = "/nowhere/at/all.json"; }), Contains("/nowhere/at/all.json"));
  CHECK_FALSE(std::filesystem::exists(good.out));
  if (!testing::make_offscreen_stage()) return;
  CHECK_THAT(with([](RenderOptions& o) { o.head = 0; }), Contains("no head 0") && Contains("has 4"));
  CHECK_THAT(with([](RenderOptions& o) { o.head = 9; }), Contains("no head 9"));
  CHECK_THAT(with([](RenderOptions& o) { o.select = "W_Q"; }), Contains("W_Q:3,4"));
  CHECK_THAT(with([](RenderOptions& o) { o.select = "W_Q:3;4"; }), Contains("W_Q:3,4"));
  CHECK_THAT(with([](RenderOptions& o) { o.select = "Z:3,4"; }), Contains("\"Z\"") && Contains("attention"));
  CHECK_THAT(with([](RenderOptions& o) { o.select = "attention:3,14"; }), Contains("10 x 10"));
  CHECK_THAT(with([](RenderOptions& o) { o.out = "/nowhere/out.png"; }), Contains("/nowhere/out.png"));
  CHECK_FALSE(std::filesystem::exists(good.out));
}

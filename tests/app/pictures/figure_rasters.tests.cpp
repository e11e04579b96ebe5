// A figure as a reader of SVG draws it, beside the same as the program's own screen draws it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "app/draw/screen_canvas.h"
#include "app/figures.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "tests/app/pictures/kept_picture.h"
#include "tests/app/pictures/replay.h"
#include "tests/support/examples.h"
#include "tests/support/folder.h"
#include "tests/support/gl_stage.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::testing;

namespace {

// By the screen's renderer, in a window as large as the figure.
Image on_screen(gl::OffscreenStage& stage, const Figure& figure) {
  const Box& part = figure.page.part;
  ImGui::GetIO().DisplaySize = {std::ceil(part.size.x), std::ceil(part.size.y)};
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("figure", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
  ScreenCanvas canvas(stage.heatmaps());
  replay(figure.marks, {-part.pos.x, -part.pos.y}, canvas);
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::Render();
  stage.draw(figure.page.ground);
  return stage.read();
}

// By librsvg, in the same pixels; none where it does not stand on this machine.
std::optional<Image> by_reader(const std::string& svg, const Image& like, const Folder& folder) {
  const std::string in = folder.file("figure.svg"), out = folder.file("figure.png");
  write_whole(in, svg);
  const std::string command = "rsvg-convert --unlimited -w " + std::to_string(like.width) + " -h " +
                              std::to_string(like.height) + " --background-color white -o " + out + " " + in;
  if (std::system(command.c_str()) != 0) return std::nullopt;
  return read_png(out);
}

// How far the mean of the block of 4 x 4 pixels at (x, y) is from that of the other image at (x + dx, y + dy), in the
// colour in which it is furthest.
int apart(const Image& a, const Image& b, int x, int y, int dx, int dy) {
  int most = 0;
  for (int c = 0; c < 3; ++c) {
    int sum = 0;
    for (int row = 0; row < kBlock; ++row)
      for (int col = 0; col < kBlock; ++col) sum += a.at(x + col, y + row)[c] - b.at(x + col + dx, y + row + dy)[c];
    most = std::max(most, std::abs(sum) / (kBlock * kBlock));
  }
  return most;
}

// The share of blocks that are off by more than a tenth of all brightness. The screen rounds edges to whole pixels and
// a reader does not: each block may lie a pixel off.
double share_of_other(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 1;
  int blocks = 0, other = 0;
  for (int y = 1; y + kBlock < a.height; y += kBlock)
    for (int x = 1; x + kBlock < a.width; x += kBlock) {
      int least = 255;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) least = std::min(least, apart(a, b, x, y, dx, dy));
      ++blocks;
      other += least > 25 ? 1 : 0;
    }
  return static_cast<double>(other) / blocks;
}

}  // namespace

TEST_CASE("figures: a reader of SVG shows what the screen does", "[pictures][figures]") {
  if (std::system("rsvg-convert --version > /dev/null 2>&1") != 0) {
    WARN("skipped: there is no rsvg-convert");
    return;
  }
  const auto stage = make_offscreen_stage();
  if (!stage) return;
  const Folder folder;
  std::ofstream list;
  if (const char* where = std::getenv("HYDRA_FIGURE_SHARES")) list.open(where);
  for (const char* name : {"slices", "heads_designed", "stack_induction", "trained_students_4"}) {
    App app(test::example(name), "", stage->heatmaps());
    app.set(app.view().still, true);
    int drawn = 0;
    for (const FigureEntry& entry : all_figures()) {
      if (entry.view == ViewId::tradeoff && std::string(name) != "slices") continue;
      CAPTURE(name, entry.name);
      std::optional<Figure> figure;
      try {
        figure = lay_out_figure(app, entry, 145);
      } catch (const InputError&) {
        continue;  // nothing of it in this document
      }
      if (app.take_fonts_changed()) stage->upload_fonts();
      const Image screen = on_screen(*stage, *figure);
      const std::optional<Image> read = by_reader(svg_text(figure->marks, figure->page, app.fonts()), screen, folder);
      REQUIRE(read);
      const double share = share_of_other(screen, *read);
      if (list.is_open()) list << share << ' ' << name << ' ' << entry.name << '\n';
      keep_picture(screen, std::string("figure_") + name + "_" + entry.name + "_screen");
      keep_picture(*read, std::string("figure_") + name + "_" + entry.name + "_svg");
      CHECK(share < 0.02);
      ++drawn;
    }
    CAPTURE(name);
    CHECK(drawn >= 15);
    if (test::kSanitized) break;
  }
}

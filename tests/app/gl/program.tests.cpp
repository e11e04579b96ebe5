#include "app/gl/program.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <thread>

#include "embedded/shaders.h"
#include "tests/support/gl_stage.h"

using namespace hydra;
using namespace hydra::gl;
namespace fs = std::filesystem;

namespace {
void write(const fs::path& path, std::string_view text, fs::file_time_type time) {
  std::ofstream(path, std::ios::binary) << text;
  fs::last_write_time(path, time);
}
}  // namespace

TEST_CASE("program: every embedded shader compiles and links", "[gl][program]") {
  const auto stage = testing::GlStage::make(16, 16);
  if (!stage) return;
  const auto vertex = shaders::find("heatmap.vert");
  REQUIRE_FALSE(vertex.empty());
  for (const char* name : {"heatmap_plain.frag", "heatmap_full.frag"}) {
    const auto fragment = shaders::find(name);
    REQUIRE_FALSE(fragment.empty());
    const BuiltProgram built = build_program(std::string(vertex), std::string(fragment));
    INFO(name << "\n" << built.error);
    CHECK(built.program);
  }
  CHECK(stage->heatmaps().last_error().empty());
}

TEST_CASE("program: a change is picked up, a broken one keeps the last good program and shows the log",
          "[gl][program]") {
  const auto stage = testing::GlStage::make(16, 16);
  if (!stage) return;
  const fs::path directory = fs::temp_directory_path() / ("hydrascope-shaders-" + std::to_string(::getpid()));
  fs::create_directories(directory);
  const auto start = fs::file_time_type::clock::now();
  write(directory / "heatmap.vert", shaders::find("heatmap.vert"), start);
  write(directory / "heatmap_plain.frag", shaders::find("heatmap_plain.frag"), start);

  LiveProgram program("heatmap.vert", "heatmap_plain.frag", directory);
  const GLuint first = program.id();
  REQUIRE(first != 0);
  const auto next_look = [] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  CHECK_FALSE(program.refresh());

  write(directory / "heatmap_plain.frag", "void main() { nonsense; }\n", start + std::chrono::seconds(1));
  next_look();
  CHECK_FALSE(program.refresh());
  CHECK(program.id() == first);
  CHECK_THAT(program.last_error(), Catch::Contains("nonsense"));

  write(directory / "heatmap_plain.frag", shaders::find("heatmap_plain.frag"), start + std::chrono::seconds(2));
  next_look();
  CHECK(program.refresh());
  CHECK(program.id() != 0);
  CHECK(program.last_error().empty());
  fs::remove_all(directory);
}

#include "app/gl/framebuffer.h"

#include <catch2/catch.hpp>

#include "tests/support/gl_stage.h"

using namespace hydra;
using namespace hydra::gl;

TEST_CASE("framebuffer: the first row read is the top one", "[gl][framebuffer]") {
  const auto stage = testing::GlStage::make(70, 50);
  if (!stage) return;
  const Image image = stage->frame([](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {70, 10}, IM_COL32(200, 10, 20, 255));
    list->AddRectFilled({0, 0}, {10, 50}, IM_COL32(30, 220, 40, 255));
  });
  CHECK(int{image.at(30, 0)[0]} == 200);
  CHECK(int{image.at(30, 49)[0]} == 0);
  CHECK(int{image.at(0, 49)[1]} == 220);
  CHECK(int{image.at(69, 49)[1]} == 0);
}

TEST_CASE("framebuffer: a PNG holds the image's size and comes out the same twice", "[gl][framebuffer]") {
  Image image{300, 2, std::vector<std::uint8_t>(3 * 300 * 2, 7)};
  const std::string png = png_bytes(image);
  REQUIRE(png.size() > 24);
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  CHECK(png.substr(16, 8) == std::string("\0\0\x01\x2c\0\0\0\x02", 8));
  CHECK(png == png_bytes(image));
  image.rgb[5] = 8;
  CHECK(png != png_bytes(image));
}

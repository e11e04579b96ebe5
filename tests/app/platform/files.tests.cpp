#include "app/platform/files.h"

#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("files: the first font that there is is taken, and none is no fault", "[platform]") {
  CHECK(font_file({}).empty());
  CHECK(font_file({"no such font.ttf"}).empty());
  const std::string sans = font_file({"DejaVuSans.ttf"});
  CHECK(font_file({"no such font.ttf", "DejaVuSans.ttf", "Inter-Regular.otf"}) ==
        (sans.empty() ? font_file({"Inter-Regular.otf"}) : sans));
}

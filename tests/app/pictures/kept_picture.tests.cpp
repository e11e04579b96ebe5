// That a picture which is another is found, and one that is only rounded otherwise is not.
#include "tests/app/pictures/kept_picture.h"

#include <catch2/catch.hpp>
#include <random>

using namespace hydra;
using namespace hydra::testing;

namespace {

Image noise(int width, int height) {
  std::mt19937 random(3);
  Image image{width, height, {}};
  for (int k = 0; k < 3 * width * height; ++k) image.rgb.push_back(static_cast<std::uint8_t>(60 + random() % 130));
  return image;
}

}  // namespace

TEST_CASE("pictures: a pixel that is changed on purpose is found, wherever it is", "[pictures]") {
  const Image before = noise(64, 40), kept = block_means(before);
  CHECK(count_other_blocks(kept, kept) == 0);
  for (std::size_t at = 0; at < before.rgb.size(); ++at) {
    Image now = before;
    now.rgb[at] = static_cast<std::uint8_t>(now.rgb[at] + 56);
    if (count_other_blocks(kept, block_means(now)) != 1) FAIL("not found: " << at);
  }
  Image now = before;
  now.rgb[3 * (10 * 64 + 21)] = 255;
  const Image shown = difference(now, kept);
  CHECK(shown.height == 80);
  CHECK(shown.at(18, 8)[0] == 255);  // the frame around its block, whose corner is at (20, 8)
  CHECK(shown.at(18, 8)[1] == 0);
  CHECK(shown.at(30, 8)[1] == before.at(30, 8)[1]);
}

TEST_CASE("pictures: what is rounded otherwise is the same picture", "[pictures]") {
  std::mt19937 random(4);
  const Image before = noise(64, 40);
  Image now = before;
  for (std::uint8_t& value : now.rgb) value = static_cast<std::uint8_t>(value + static_cast<int>(random() % 3) - 1);
  CHECK(count_other_blocks(block_means(before), block_means(now)) == 0);
}

TEST_CASE("pictures: of another size all is other", "[pictures]") {
  const Image kept = block_means(noise(64, 40)), now = block_means(noise(40, 64));
  CHECK(count_other_blocks(kept, now) == now.width * now.height);
}

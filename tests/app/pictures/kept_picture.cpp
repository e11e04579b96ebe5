#include "tests/app/pictures/kept_picture.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include "core/files/whole_file.h"
#include "tests/support/gl_stage.h"

namespace hydra::testing {

namespace {

struct Block {
  int x, y;
};

std::vector<Block> other_blocks(const Image& kept, const Image& now) {
  std::vector<Block> others;
  const bool same_size = kept.width == now.width && kept.height == now.height;
  for (int y = 0; y < now.height; ++y)
    for (int x = 0; x < now.width; ++x) {
      const auto differs = [&](int channel) {
        return std::abs(kept.at(x, y)[channel] - now.at(x, y)[channel]) > kTolerance;
      };
      if (!same_size || differs(0) || differs(1) || differs(2)) others.push_back({x, y});
    }
  return others;
}

void put(Image& image, int x, int y, const std::uint8_t* rgb) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  std::copy_n(rgb, 3,
              &image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                              static_cast<std::size_t>(x))]);
}

void write(const std::filesystem::path& path, const Image& image) {
  std::filesystem::create_directories(path.parent_path());
  write_whole(path.string(), png_bytes(image));
}

}  // namespace

Image block_means(const Image& picture) {
  Image means{picture.width / kBlock, picture.height / kBlock, {}};
  means.rgb.reserve(3 * static_cast<std::size_t>(means.width) * static_cast<std::size_t>(means.height));
  for (int y = 0; y < means.height; ++y)
    for (int x = 0; x < means.width; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        int sum = kBlock * kBlock / 2;  // so that it is rounded
        for (int k = 0; k < kBlock * kBlock; ++k)
          sum += picture.at(kBlock * x + k % kBlock, kBlock * y + k / kBlock)[channel];
        means.rgb.push_back(static_cast<std::uint8_t>(sum / (kBlock * kBlock)));
      }
  return means;
}

int count_other_blocks(const Image& kept, const Image& now) { return static_cast<int>(other_blocks(kept, now).size()); }

Image difference(const Image& picture, const Image& kept) {
  constexpr std::uint8_t kMark[] = {255, 0, 160};
  Image shown{picture.width, 2 * picture.height, {}};
  shown.rgb = picture.rgb;
  shown.rgb.resize(2 * picture.rgb.size());
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      put(shown, x, picture.height + y,
          kept.at(std::min(x / kBlock, kept.width - 1), std::min(y / kBlock, kept.height - 1)));
  for (const Block& block : other_blocks(kept, block_means(picture)))
    for (int k = -2; k < kBlock + 2; ++k)
      for (const int edge : {-2, kBlock + 1}) {
        put(shown, kBlock * block.x + k, kBlock * block.y + edge, kMark);
        put(shown, kBlock * block.x + edge, kBlock * block.y + k, kMark);
      }
  return shown;
}

std::optional<Image> read_png(const std::string& path) {
  Image image;
  std::uint8_t* const pixels = stbi_load(path.c_str(), &image.width, &image.height, nullptr, 3);
  if (!pixels) return std::nullopt;
  image.rgb.assign(pixels, pixels + 3 * image.width * image.height);
  stbi_image_free(pixels);
  return image;
}

void check_picture(const Image& picture, const std::string& name) {
  keep_picture(picture, name);
  const std::filesystem::path kept_path = std::filesystem::path(HYDRA_KEPT_PICTURES) / (name + ".png"),
                              others = HYDRA_OTHER_PICTURES;
  const Image means = block_means(picture);
  const std::optional<Image> kept = read_png(kept_path.string());
  const int differ = kept ? count_other_blocks(*kept, means) : -1;
  if (std::getenv("HYDRA_KEEP_PICTURES")) {
    if (differ != 0) write(kept_path, means);
    return;
  }
  if (!kept) FAIL("no picture is kept as " << kept_path << "; HYDRA_KEEP_PICTURES=1 keeps it");
  if (differ == 0) return;
  write(others / (name + ".png"), picture);
  write(others / (name + ".difference.png"), difference(picture, *kept));
  FAIL(name << " is another picture in " << differ << " of " << means.width * means.height << " blocks: see "
            << (others / (name + ".difference.png")) << "; HYDRA_KEEP_PICTURES=1 keeps it from now on");
}

}  // namespace hydra::testing

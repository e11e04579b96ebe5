// Pixels, and their file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hydra {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // top row first

  const std::uint8_t* at(int x, int y) const { return &rgb[3 * (static_cast<std::size_t>(y) * width + x)]; }
  bool operator==(const Image&) const = default;
};

// The bytes of a PNG file; the same image gives the same bytes.
std::string png_bytes(const Image& image);

}  // namespace hydra

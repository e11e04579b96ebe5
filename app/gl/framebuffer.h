// A picture to draw into without a window, and its pixels.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/gl/handle.h"

namespace hydra::gl {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // top row first

  const std::uint8_t* at(int x, int y) const { return &rgb[3 * (static_cast<std::size_t>(y) * width + x)]; }
  bool operator==(const Image&) const = default;
};

// The bytes of a PNG file; the same image gives the same bytes.
std::string png_bytes(const Image& image);

// An 8-bit RGBA colour buffer. Not larger than max_size() a side.
class Canvas {
 public:
  Canvas(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }
  void bind() const;  // draws go here, the viewport covers it
  Image read() const;
  static int max_size();

 private:
  int width_, height_;
  Texture color_;
  Framebuffer framebuffer_;
};

}  // namespace hydra::gl

// A picture to draw into without a window, and its pixels.
#pragma once
#include "app/draw/image.h"
#include "app/gl/handle.h"

namespace hydra::gl {

// An 8-bit RGBA colour buffer.
class PixelBuffer {
 public:
  PixelBuffer(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }
  void bind() const;  // draws go here, the viewport covers it
  Image read() const;

 private:
  int width_, height_;
  Texture color_;
  Framebuffer framebuffer_;
};

}  // namespace hydra::gl

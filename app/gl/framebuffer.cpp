#include "app/gl/framebuffer.h"

#include <algorithm>
#include <cassert>

namespace hydra::gl {

PixelBuffer::PixelBuffer(int width, int height)
    : width_(width), height_(height), color_(Texture::make()), framebuffer_(Framebuffer::make()) {
  assert(width > 0 && height > 0);
  glBindTexture(GL_TEXTURE_2D, color_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.id(), 0);
  assert(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
}

void PixelBuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, width_, height_);
}

// Read with alpha, since OpenGL ES gives it no other way.
Image PixelBuffer::read() const {
  const auto width = static_cast<std::size_t>(width_), height = static_cast<std::size_t>(height_);
  std::vector<std::uint8_t> rgba(4 * width * height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  Image image{width_, height_, std::vector<std::uint8_t>(3 * width * height)};
  std::uint8_t* to = image.rgb.data();
  for (std::size_t row = height; row-- > 0;) {  // OpenGL's first row is the lowest
    const std::uint8_t* from = rgba.data() + 4 * width * row;
    for (std::size_t k = 0; k < width; ++k, from += 4, to += 3) std::copy_n(from, 3, to);
  }
  return image;
}

}  // namespace hydra::gl

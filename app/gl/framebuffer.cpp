#include "app/gl/framebuffer.h"

#include <algorithm>
#include <cassert>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace hydra::gl {

std::string png_bytes(const Image& image) {
  // A quarter of the time of stb's defaults for 6 % more bytes.
  stbi_write_png_compression_level = 4;
  stbi_write_force_png_filter = 0;
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), 3 * image.width);
  return bytes;
}

Canvas::Canvas(int width, int height)
    : width_(width), height_(height), color_(Texture::make()), framebuffer_(Framebuffer::make()) {
  assert(width > 0 && height > 0);
  glBindTexture(GL_TEXTURE_2D, color_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.id(), 0);
  assert(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
}

void Canvas::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, width_, height_);
}

// Read with alpha, since OpenGL ES gives it no other way.
Image Canvas::read() const {
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

int Canvas::max_size() {
  GLint texture = 0, renderbuffer = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
  return std::min(texture, renderbuffer);
}

}  // namespace hydra::gl

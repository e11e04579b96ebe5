// Owners of OpenGL names: move-only, deleted with the owner, which must happen while the context is current.
#pragma once
#include <utility>

#include "app/gl/gl_api.h"

namespace hydra::gl {

template <class Traits>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_) Traits::destroy(id_);
  }

  static Handle make() { return Handle(Traits::make()); }
  static Handle adopt(GLuint id) { return Handle(id); }
  GLuint id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  explicit Handle(GLuint id) : id_(id) {}
  GLuint id_ = 0;
};

struct TextureTraits {
  static GLuint make() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
  }
  static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};
struct BufferTraits {
  static GLuint make() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return id;
  }
  static void destroy(GLuint id) { glDeleteBuffers(1, &id); }
};
struct VertexArrayTraits {
  static GLuint make() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
  }
  static void destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
};
struct FramebufferTraits {
  static GLuint make() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return id;
  }
  static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};
struct ShaderTraits {
  static void destroy(GLuint id) { glDeleteShader(id); }
};
struct ProgramTraits {
  static GLuint make() { return glCreateProgram(); }
  static void destroy(GLuint id) { glDeleteProgram(id); }
};

using Texture = Handle<TextureTraits>;
using Buffer = Handle<BufferTraits>;
using VertexArray = Handle<VertexArrayTraits>;
using Framebuffer = Handle<FramebufferTraits>;
using Shader = Handle<ShaderTraits>;
using Program = Handle<ProgramTraits>;

}  // namespace hydra::gl

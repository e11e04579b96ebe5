// A clip rectangle of ImGui's as OpenGL's scissor, which counts from the bottom, in pixels of the framebuffer.
#pragma once
#include <imgui.h>

#include <algorithm>

#include "app/gl/gl_api.h"

namespace hydra::gl {

// False, and nothing is set, when nothing is within.
inline bool set_scissor(const ImVec4& clip, const ImDrawData& data) {
  const ImVec2 scale = data.FramebufferScale, origin = data.DisplayPos;
  const float height = data.DisplaySize.y * scale.y;
  const float left = (clip.x - origin.x) * scale.x, right = (clip.z - origin.x) * scale.x;
  const float top = (clip.y - origin.y) * scale.y, bottom = (clip.w - origin.y) * scale.y;
  if (right <= left || bottom <= top) return false;
  glScissor(static_cast<GLint>(left), static_cast<GLint>(height - bottom), static_cast<GLsizei>(right - left),
            static_cast<GLsizei>(bottom - top));
  return true;
}

}  // namespace hydra::gl

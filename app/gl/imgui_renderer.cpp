#include "app/gl/imgui_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "app/gl/gl_api.h"
#include "app/gl/scissor.h"

namespace hydra::gl {
namespace {

void clear(ImU32 color) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

// A filled, opaque rectangle along the axes, as ImDrawList::AddRectFilled makes it: four corners clockwise from the top
// left, all at the white texel.
bool is_plain_rectangle(const ImDrawVert* v, const ImDrawIdx* i) {
  const int order[] = {0, 1, 2, 0, 2, 3};
  for (int k = 0; k < 6; ++k) {
    if (i[k] != i[0] + order[k]) return false;
  }
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (int k = 0; k < 4; ++k) {
    if (v[k].col != v[0].col || v[k].uv.x != white.x || v[k].uv.y != white.y) return false;
  }
  return v[0].col >> IM_COL32_A_SHIFT == 255 && v[0].pos.y == v[1].pos.y && v[1].pos.x == v[2].pos.x &&
         v[2].pos.y == v[3].pos.y && v[3].pos.x == v[0].pos.x;
}

// The pixels whose centres are within the rectangle and the clip rectangle become its colour.
void clear_rectangle(ImVec2 low, ImVec2 high, const ImVec4& clip, ImU32 color, const ImDrawData& data) {
  const auto pixel = [](float position, float origin, float scale) {
    return static_cast<int>(std::ceil((position - origin) * scale - 0.5f));
  };
  const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
  const int left = std::max(0, pixel(std::max(low.x, clip.x), origin.x, scale.x));
  const int right = pixel(std::min(high.x, clip.z), origin.x, scale.x);
  const int top = std::max(0, pixel(std::max(low.y, clip.y), origin.y, scale.y));
  const int bottom = pixel(std::min(high.y, clip.w), origin.y, scale.y);
  if (right <= left || bottom <= top) return;
  glScissor(left, static_cast<int>(data.DisplaySize.y * scale.y) - bottom, right - left, bottom - top);
  clear(color);
}

// The grounds of the window's parts are the first rectangles of the lowest list, and most of the window's area. A
// software renderer clears ten times as fast as it blends a textured triangle. Gives the number of indices done with.
unsigned clear_grounds(const ImDrawData& data) {
  const ImDrawList& list = *data.CmdLists[0];
  const ImDrawCmd& command = list.CmdBuffer[0];
  if (command.UserCallback) return 0;
  glEnable(GL_SCISSOR_TEST);
  unsigned done = 0;
  for (; done + 6 <= command.ElemCount; done += 6) {
    const ImDrawIdx* indices = &list.IdxBuffer[static_cast<int>(command.IdxOffset + done)];
    const ImDrawVert* corners = &list.VtxBuffer[static_cast<int>(command.VtxOffset + indices[0])];
    if (!is_plain_rectangle(corners, indices)) break;
    clear_rectangle(corners[0].pos, corners[2].pos, command.ClipRect, corners[0].col, data);
  }
  glDisable(GL_SCISSOR_TEST);
  return done;
}

GLuint id_of(ImTextureID texture) { return static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(texture)); }
ImTextureID texture_of(GLuint id) { return reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(id)); }

// From ImGui's coordinates, y downwards, to the clip space, column by column.
std::array<float, 16> to_clip(const ImDrawData& data) {
  const float left = data.DisplayPos.x, right = left + data.DisplaySize.x;
  const float top = data.DisplayPos.y, bottom = top + data.DisplaySize.y;
  std::array<float, 16> matrix{};
  matrix[0] = 2 / (right - left);
  matrix[5] = 2 / (top - bottom);
  matrix[10] = -1;
  matrix[12] = (right + left) / (left - right);
  matrix[13] = (top + bottom) / (bottom - top);
  matrix[15] = 1;
  return matrix;
}

// Into the bound buffer, which grows where it must.
void fill(GLenum buffer, GLsizeiptr& capacity, const void* data, std::size_t bytes) {
  const auto size = static_cast<GLsizeiptr>(bytes);
  if (capacity < size) {
    capacity = 2 * size;
    glBufferData(buffer, capacity, nullptr, GL_STREAM_DRAW);
  }
  glBufferSubData(buffer, 0, size, data);
}

}  // namespace

// Draw commands note the font texture when they are laid out, so it has its name before the first frame, and keeps it;
// atlases replace its texels.
ImGuiRenderer::ImGuiRenderer() {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendRendererName = "hydrascope";
  glBindTexture(GL_TEXTURE_2D, glyphs_.id());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  upload_fonts();
  find_uniforms();
}

void ImGuiRenderer::find_uniforms() {
  to_clip_at_ = glGetUniformLocation(program_.id(), "to_clip");
  glyphs_at_ = glGetUniformLocation(program_.id(), "glyphs");
}

ImGuiRenderer::~ImGuiRenderer() {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->SetTexID(nullptr);
  io.BackendRendererName = nullptr;
}

void ImGuiRenderer::upload_fonts() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  unsigned char* texels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&texels, &width, &height);
  atlas.SetTexID(texture_of(glyphs_.id()));
  glBindTexture(GL_TEXTURE_2D, glyphs_.id());
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

void ImGuiRenderer::set_state(const ImDrawData& data) const {
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_SCISSOR_TEST);
  glViewport(0, 0, static_cast<GLsizei>(data.DisplaySize.x * data.FramebufferScale.x),
             static_cast<GLsizei>(data.DisplaySize.y * data.FramebufferScale.y));
  glUseProgram(program_.id());
  glUniform1i(glyphs_at_, 0);
  glUniformMatrix4fv(to_clip_at_, 1, GL_FALSE, to_clip(data).data());
  glActiveTexture(GL_TEXTURE0);
  glBindVertexArray(vertex_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.id());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
}

// Instead of a base vertex, which OpenGL ES 3 has not.
void ImGuiRenderer::point_attributes(unsigned first_vertex) const {
  const std::size_t start = first_vertex * sizeof(ImDrawVert);
  const auto at = [start](std::size_t offset) { return reinterpret_cast<const void*>(start + offset); };
  const GLsizei stride = sizeof(ImDrawVert);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, at(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, at(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, at(offsetof(ImDrawVert, col)));
  for (GLuint attribute = 0; attribute < 3; ++attribute) glEnableVertexAttribArray(attribute);
}

void ImGuiRenderer::upload(const ImDrawList& list) {
  fill(GL_ARRAY_BUFFER, vertex_bytes_, list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
  fill(GL_ELEMENT_ARRAY_BUFFER, index_bytes_, list.IdxBuffer.Data,
       static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
}

// done: indices of the list's first command that need no drawing any more.
void ImGuiRenderer::draw_list(const ImDrawList& list, const ImDrawData& data, unsigned done) {
  upload(list);
  unsigned first_vertex = 0;
  point_attributes(first_vertex);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    const unsigned skipped = std::exchange(done, 0u);
    if (command.UserCallback == ImDrawCallback_ResetRenderState) {
      set_state(data);
    } else if (command.UserCallback) {
      command.UserCallback(&list, &command);
    } else if (command.ElemCount > skipped && set_scissor(command.ClipRect, data)) {
      if (command.VtxOffset != first_vertex) point_attributes(first_vertex = command.VtxOffset);
      const std::uintptr_t start = (command.IdxOffset + skipped) * sizeof(ImDrawIdx);
      glBindTexture(GL_TEXTURE_2D, id_of(command.GetTexID()));
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount - skipped),
                     sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(start));
    }
  }
}

void ImGuiRenderer::draw(ImU32 ground) {
  if (program_.refresh()) find_uniforms();
  const ImDrawData& data = *ImGui::GetDrawData();
  glDisable(GL_SCISSOR_TEST);
  clear(ground);
  if (data.CmdListsCount == 0 || data.CmdLists[0]->CmdBuffer.empty()) return;
  unsigned done = clear_grounds(data);
  set_state(data);
  for (int k = 0; k < data.CmdListsCount; ++k) draw_list(*data.CmdLists[k], data, std::exchange(done, 0u));
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace hydra::gl

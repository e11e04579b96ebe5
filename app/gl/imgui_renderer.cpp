#include "app/gl/imgui_renderer.h"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/gl/gl_api.h"

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

}  // namespace

// Draw commands note the font texture when they are laid out, so it must have its name before the first frame, and keep
// it. The backend makes it (of the default font) with its other objects; later atlases replace its texels.
ImGuiRenderer::ImGuiRenderer() {
  ImGui_ImplOpenGL3_Init("#version 330 core");
  ImGui_ImplOpenGL3_NewFrame();
}

ImGuiRenderer::~ImGuiRenderer() { ImGui_ImplOpenGL3_Shutdown(); }

void ImGuiRenderer::upload_fonts() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  unsigned char* texels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&texels, &width, &height);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(atlas.TexID)));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

void ImGuiRenderer::draw(ImU32 ground) {
  ImDrawData& data = *ImGui::GetDrawData();
  glDisable(GL_SCISSOR_TEST);
  clear(ground);
  if (data.CmdListsCount == 0 || data.CmdLists[0]->CmdBuffer.empty()) return;
  ImDrawCmd& first = data.CmdLists[0]->CmdBuffer[0];
  const ImDrawCmd whole = first;
  const unsigned done = clear_grounds(data);
  first.IdxOffset += done;
  first.ElemCount -= done;
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  first = whole;  // the draw data may be drawn again
}

}  // namespace hydra::gl

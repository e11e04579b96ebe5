#include "app/gl/imgui_renderer.h"

#include <backends/imgui_impl_opengl3.h>

#include <cstdint>

#include "app/gl/gl_api.h"

namespace hydra::gl {

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
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(ground);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace hydra::gl

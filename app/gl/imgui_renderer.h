// ImGui's draw data onto the bound framebuffer, by ImGui's own OpenGL backend.
#pragma once
#include <imgui.h>

namespace hydra::gl {

// Needs a current ImGui context and a current OpenGL context for its whole life.
class ImGuiRenderer {
 public:
  ImGuiRenderer();
  ~ImGuiRenderer();
  ImGuiRenderer(const ImGuiRenderer&) = delete;
  ImGuiRenderer& operator=(const ImGuiRenderer&) = delete;

  void upload_fonts();  // after the atlas was rebuilt
  // Clears to the ground colour and draws what ImGui::Render left.
  void draw(ImU32 ground);
};

}  // namespace hydra::gl

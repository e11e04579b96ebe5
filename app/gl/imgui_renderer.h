// ImGui's draw data onto the bound framebuffer. Sets all the state it needs and asks OpenGL for none: in a browser each
// question waits for the whole machine. What follows it must set what it needs, too.
#pragma once
#include <imgui.h>

#include "app/gl/handle.h"
#include "app/gl/program.h"

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

 private:
  void find_uniforms();
  void set_state(const ImDrawData& data) const;
  void upload(const ImDrawList& list);
  void draw_list(const ImDrawList& list, const ImDrawData& data, unsigned done);
  void point_attributes(unsigned first_vertex) const;

  LiveProgram program_{"interface.vert", "interface.frag"};
  GLint to_clip_at_ = -1, glyphs_at_ = -1;
  Texture glyphs_ = Texture::make();
  VertexArray vertex_array_ = VertexArray::make();
  Buffer vertices_ = Buffer::make(), indices_ = Buffer::make();
  GLsizeiptr vertex_bytes_ = 0, index_bytes_ = 0;  // that the buffers hold
};

}  // namespace hydra::gl

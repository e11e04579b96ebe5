// An offscreen OpenGL context with ImGui and the heatmap renderer, for tests that look at pixels.
#pragma once
#include <imgui.h>

#include <functional>
#include <memory>
#include <string>

#include "app/gl/framebuffer.h"
#include "app/gl/heatmap_renderer.h"
#include "app/gl/imgui_renderer.h"
#include "app/platform/imgui_session.h"
#include "app/platform/offscreen.h"

namespace hydra::testing {

class GlStage {
 public:
  // Null, after a warning that starts with "skipped:" (ctest then counts the case as skipped), when there is no OpenGL.
  static std::unique_ptr<GlStage> make(int width, int height);

  // One frame on a black ground: draw is given the list of a borderless window that covers the canvas.
  gl::Image frame(const std::function<void(ImDrawList*)>& draw);
  void lay_out(const std::function<void(ImDrawList*)>& draw);  // the same, up to ImGui::Render
  gl::Image render_again();                                    // what was laid out last

  gl::HeatmapRenderer& heatmaps() { return heatmaps_; }

 private:
  GlStage(int width, int height) : canvas_(width, height) {}

  OffscreenContext context_;
  ImGuiSession session_;
  gl::ImGuiRenderer imgui_;
  gl::HeatmapRenderer heatmaps_;
  gl::Canvas canvas_;
};

// Writes the image to $HYDRA_TEST_PICTURES/name.png when that is set, to look at.
void keep_picture(const gl::Image& image, const std::string& name);

}  // namespace hydra::testing

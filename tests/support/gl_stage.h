// An offscreen OpenGL context with ImGui and the heatmap renderer, for tests that look at pixels.
#pragma once
#include <imgui.h>

#include <functional>
#include <memory>
#include <string>

#include "app/gl/offscreen_stage.h"

namespace hydra::testing {

// Null, after a warning that starts with "skipped:" (ctest then counts the case as skipped), when there is no OpenGL.
std::unique_ptr<gl::OffscreenStage> make_offscreen_stage();

class GlStage {
 public:
  static std::unique_ptr<GlStage> make(int width, int height);  // null as above

  // One frame on a black ground: draw is given the list of a borderless window that covers the canvas.
  Image frame(const std::function<void(ImDrawList*)>& draw);
  void lay_out(const std::function<void(ImDrawList*)>& draw);  // the same, up to ImGui::Render
  Image render_again();                                        // what was laid out last

  gl::HeatmapRenderer& heatmaps() { return stage_->heatmaps(); }

 private:
  std::unique_ptr<gl::OffscreenStage> stage_;
  ImVec2 size_;
};

// Writes the image to $HYDRA_TEST_PICTURES/name.png when that is set, to look at.
void keep_picture(const Image& image, const std::string& name);

}  // namespace hydra::testing

// All that frames need when there is no window: a context, ImGui, the heatmap renderer and a canvas.
#pragma once
#include <optional>

#include "app/gl/framebuffer.h"
#include "app/gl/heatmap_renderer.h"
#include "app/gl/imgui_renderer.h"
#include "app/platform/imgui_session.h"
#include "app/platform/offscreen.h"

namespace hydra::gl {

class OffscreenStage {
 public:
  HeatmapRenderer& heatmaps() { return heatmaps_; }
  void upload_fonts() { imgui_.upload_fonts(); }
  // Draws what ImGui::Render left, over the ground colour. The canvas has ImGui's display size.
  void draw(ImU32 ground);
  // True once after pictures had no memory: lay out again, so that they say so.
  bool take_refusals_changed() { return heatmaps_.take_refusals_changed(); }
  void finish() { glFinish(); }                   // waits until the picture is done
  Image read() const { return canvas_->read(); }  // what was drawn last
  const std::string& description() const { return context_.description(); }

 private:
  OffscreenContext context_;  // first: the others are made and deleted while it is current
  ImGuiSession session_;
  ImGuiRenderer imgui_;
  HeatmapRenderer heatmaps_;
  std::optional<PixelBuffer> canvas_;
};

}  // namespace hydra::gl

#include "app/gl/offscreen_stage.h"

namespace hydra::gl {

void OffscreenStage::draw(ImU32 ground) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const int width = static_cast<int>(size.x), height = static_cast<int>(size.y);
  if (!canvas_ || canvas_->width() != width || canvas_->height() != height) canvas_.emplace(width, height);
  canvas_->bind();
  imgui_.draw(ground);
}

}  // namespace hydra::gl

#include "app/offscreen_frame.h"

namespace hydra {
namespace {

constexpr float kFrameSeconds = 1.f / 60;
constexpr int kSettlingFrames = 4;  // ImGui needs two for a window that fits its content, and as many for one within it

}  // namespace

void lay_out_frame(App& app, int width, int height, InputQueue& input) {
  app.frame({static_cast<float>(width), static_cast<float>(height)}, kFrameSeconds, input);
}

void draw_frame(App& app, gl::OffscreenStage& stage) {
  if (app.take_fonts_changed()) stage.upload_fonts();
  stage.draw(theme(app.view().dark).ground);
}

Image render_frame(App& app, gl::OffscreenStage& stage, int width, int height) {
  InputQueue no_input;
  for (int frame = 0; frame < kSettlingFrames || app.pictures_pending(); ++frame) {
    app.finish_names();  // of what the frame before has asked for, too
    lay_out_frame(app, width, height, no_input);
  }
  draw_frame(app, stage);
  if (stage.take_refusals_changed()) {
    lay_out_frame(app, width, height, no_input);
    draw_frame(app, stage);
  }
  return stage.read();
}

}  // namespace hydra

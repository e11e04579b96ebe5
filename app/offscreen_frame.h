// The program's frames without a window: for the render command, the measurements and the tests.
#pragma once
#include "app/app.h"
#include "app/gl/offscreen_stage.h"

namespace hydra {

// One frame, at a sixtieth of a second after the last: all that is computed for it, and its drawing.
void lay_out_frame(App& app, int width, int height, InputQueue& input);
void draw_frame(App& app, gl::OffscreenStage& stage);

// Waits for the trace, lays out until sizes that depend on each other agree, and reads the last frame back. Same app,
// same image.
Image render_frame(App& app, gl::OffscreenStage& stage, int width, int height);

}  // namespace hydra

// The border between two parts of the window, to be dragged.
#pragma once
#include <imgui.h>

#include "app/draw/canvas.h"
#include "app/platform/theme.h"

namespace hydra::ui {

// How wide the part of the border is that takes the pointer.
float splitter_grip();

// A vertical border at top_left, height high. width (in units of the text size) belongs to the part on the left
// (side +1) or on the right (side -1) and is kept within least..most. True when it was dragged this frame.
bool splitter(Canvas& canvas, const char* name, ImVec2 top_left, float height, const Theme& theme, float& width,
              int side, float least, float most);

}  // namespace hydra::ui

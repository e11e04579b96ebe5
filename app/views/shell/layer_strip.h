// The strip over every view of a stack: each layer with its number and its heads' patterns, small. A click focuses the
// layer, and the head. Of layers that are not whole a pattern is shown where it is known already, else a quiet square.
// Probe names: layers, layers/3, layers/3/2, counted from 1.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

bool layer_strip_shown(const Frame& frame, ImVec2 room);  // there are several layers, and room for them
void draw_layer_strip(Frame& frame);                      // at the cursor, which stands below it then

}  // namespace hydra

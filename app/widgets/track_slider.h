// A value on a level track, taken with the pointer. Data in, what the user did out.
#pragma once
#include <imgui.h>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct TrackSlider : Look {
  ImVec2 pos, size;  // of what takes the pointer; the track lies in its middle
  float value = 0, low = 0, high = 1;
  float rest = 0;  // has a line across the track; values near it become it
  float step = 0.01f;
  ImU32 color = 0;
};

struct TrackSliderResult {
  bool hovered = false;
  bool held = false;            // the pointer went down on it and has not been let go
  bool released = false;        // this frame
  bool double_clicked = false;  // this frame
  float value = 0;              // where the pointer holds it, else as given
};

TrackSliderResult track_slider(Canvas& canvas, const char* id, const TrackSlider& slider);

}  // namespace hydra

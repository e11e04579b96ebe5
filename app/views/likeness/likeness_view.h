// What the Likeness view asks for: see views.h for drawing it.
#pragma once
#include <imgui.h>

#include "app/measures/likeness.h"
#include "app/scene/view_state.h"
#include "app/views/frame/tools_told.h"

namespace hydra {

// Only what is on the screen.
LikenessMeasure::Wanted wanted_likeness(const ViewState& view, const Trace& trace);

// "mean cosine 0.91 -> 0.85 in 3 steps".
// In as few words as fit the room.
std::string repel_text(const Repelling& repelling, bool unicode, ImFont* font = nullptr, float room = 0);

}  // namespace hydra

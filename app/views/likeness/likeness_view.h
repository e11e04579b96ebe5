// What the Likeness view asks for: see views.h for drawing it.
#pragma once
#include <imgui.h>

#include "app/scene/view_state.h"
#include "app/views/tools_shown.h"
#include "core/document/likeness_table.h"

namespace hydra {

// Only what is on the screen.
LikenessWanted wanted_likeness(const ViewState& view, const Trace& trace);
int likeness_layer(const ViewState& view, const Trace& trace);  // or LikenessShown::kAllLayers

// "mean cosine 0.91 -> 0.85 in 3 steps".
// In as few words as fit the room.
std::string repel_text(const Repelling& repelling, bool unicode, ImFont* font = nullptr, float room = 0);

}  // namespace hydra

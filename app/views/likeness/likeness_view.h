// What the Likeness view asks for: see views.h for drawing it.
#pragma once
#include "app/views/view_state.h"
#include "core/document/likeness_table.h"

namespace hydra {

// Only what is on the screen.
LikenessWanted wanted_likeness(const ViewState& view);

}  // namespace hydra

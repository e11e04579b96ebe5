// The head and layer in focus, the matrix that is open, the number that is selected: how they follow each other.
#pragma once
#include "app/scene/view_state.h"

namespace hydra {

// Opens a matrix / a number in the inspector.
void inspect(ViewState& view, const Site& ref);
// And focuses its head. by: the breadcrumb.
void select(ViewState& view, const Cell& cell, std::vector<Cell> by = {});
// To one that there is. What is open of the layer or head in focus is then that of the other, and the number selected
// in it is the one of the same row and column, where there is one.
void focus_layer(ViewState& view, int layer);
void focus_head(ViewState& view, int head);
void focus(ViewState& view, std::optional<int> layer, std::optional<int> head);
void forget_selection(ViewState& view);  // in a presentation the two lines that told it go as well

}  // namespace hydra

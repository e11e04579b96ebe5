// What the inspector shows in a view in which nothing is selected: a matrix of that view, or nothing.
#pragma once
#include "app/scene/view_state.h"

namespace hydra {

// On coming to another view with nothing selected: Heads and Roles open the pattern of the focused head, Mixing its
// rows of W_O, Flow and Design its W_Q, and Heads where a weight of it is offered. What was selected stays open.
void follow_view(ViewState& view, bool offers);
// That matrix; none: the view has none.
std::optional<Site> own_matrix(const ViewState& view, bool offers);
// Whether the inspector is on the screen: folded where the view has no matrix of its own (Likeness, Trade-off, Stream),
// until something is selected there or the inspector is asked for.
bool inspector_shown(const ViewState& view);

}  // namespace hydra

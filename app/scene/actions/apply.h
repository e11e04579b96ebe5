// What actions do to what is looked at.
#pragma once
#include "app/scene/actions/actions.h"
#include "app/scene/view_state.h"

namespace hydra {

void apply(ViewState& view, const act::GoTo& to);
void apply(ViewState& view, const act::Select& number);
void apply(ViewState& view, const act::SelectMade& number);
void apply(ViewState& view, const act::Unselect& none);
void apply(ViewState& view, const act::Inspect& matrix);
void apply(ViewState& view, const act::Show& panel);
// Throws InputError where there is no such choice, or it cannot have that value.
void apply(ViewState& view, const act::Choose& choose);

template <class Kind>
concept OfView = requires(ViewState& view, const Kind& action) {
  apply(view, action);
};
// Whether it is one of those, and is done.
bool apply_if_of_view(ViewState& view, const Action& action);

}  // namespace hydra

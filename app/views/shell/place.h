// Where the window looks, as links have it (core/io/link.h).
#pragma once
#include "app/scene/actions/actions.h"
#include "app/scene/view_state.h"
#include "core/io/link.h"

namespace hydra {

LinkPlace place_of(const ViewState& view);
// View, page and head; what there is not is passed over. The layer is the caller's: it may not be there yet.
std::vector<Action> ways_to(const ViewState& view, const LinkPlace& place);

}  // namespace hydra

// The token that views show large: one for all of them.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

// That of the row that was last selected or clicked, else the one that a class asks about first (usual_token.h).
Index token_in_view(const ViewState& view, const Source& source);

}  // namespace hydra

// What the Trade-off view asks for: see views.h for drawing it.
#pragma once
#include "app/scene/view_state.h"
#include "core/document/document.h"

namespace hydra {

// The head counts that stand side by side: those chosen for this d_model, else the usual ones and the document's own,
// as far as their patterns of so many tokens are not too large to be kept together.
std::vector<Index> wanted_head_counts(const ViewState& view, const Document& document, Index tokens);

// The numbers of tokens at which the ways to compute are timed, ascending.
std::vector<Index> timing_lengths(const ViewState& view);

}  // namespace hydra

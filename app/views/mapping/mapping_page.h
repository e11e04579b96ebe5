// The page that lays out the arrays of a model that no family reads: its arrays at the left, the places of a model of
// the settings above at the right, each with what stands there, what may, and what is wrong with that.
#pragma once

namespace hydra {

struct Frame;

// While Front::layout is there. Sends act::SetLayout, SuggestLayout, SaveLayout, and LayOut where it is closed.
void draw_mapping_page(Frame& frame);

}  // namespace hydra

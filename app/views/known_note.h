// How many of the words the model knows, in the status line, where it does not know all of them.
#pragma once
#include "app/views/context.h"

namespace hydra {

inline constexpr const char* kAddPlacesTip =
    "Rows of zeros in the table of positions, one for each token that has none. No number changes; the rows can be set "
    "and trained.";

// "11 of 14 words known, the others dotted"; where tokens have no place a choice to give them one. Empty where all is
// known.
std::string known_note(const Frame& frame);
// Ends at right; gives its width, 0 where there is nothing to say or less room than that takes.
float draw_known_note(Frame& frame, float right, float middle, float room);
// The lines of a tip about the sentence: what is marked, and what stands in its place.
std::string known_tip(const Frame& frame);

}  // namespace hydra

// How many of the words the model knows, in the status line, where it does not know all of them.
#pragma once
#include "app/views/frame/context.h"

namespace hydra {

// "11 of 14 words known, the others dotted"; where tokens have no place a choice to give them one. Empty where all is
// known.
std::string known_note(const Frame& frame);
// Ends at right; gives its width, 0 where there is nothing to say or less room than that takes.
float draw_known_note(Frame& frame, float right, float middle, float room);
// The lines of a tip about the sentence: what is marked, and what stands in its place.
std::string known_tip(const Frame& frame);

}  // namespace hydra

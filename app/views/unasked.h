// What a designed head does in a row in which it is asked for nothing.
#pragma once
#include "app/views/context.h"

namespace hydra {

// "nothing was asked in this row, and yet the head attends boldly": of a cell of the scores or the attention of a
// designed head. Empty where there is nothing to say.
std::string unasked_note(const Frame& frame, const Cell& cell);

}  // namespace hydra

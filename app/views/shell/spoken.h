// What the screen says, in words, for who listens instead of looking.
#pragma once
#include <string>

#include "app/views/frame/context.h"

namespace hydra {

// The line at the bottom: a notice, or the number pointed at with its value and what it is; else what can be done.
std::string spoken_status(const Frame& frame);

// Whether that line says more than the selected number's two lines do, which else have its place in a presentation:
// of another number, of a state before, of what happened.
bool status_adds_to_number(const Frame& frame);

// The selected number: its name, its value, and the steps of its arithmetic, a line each; of long sums the strongest
// terms. Empty where no number is selected.
std::string spoken_number(const Frame& frame);

// "Mixing, Who writes it. Layer 1 of 2, head 3 of 8."
std::string spoken_place(const Frame& frame);

// What has the keyboard: a question with its answers, the help, a part of the window with its framed control. Empty
// while it is the view's.
std::string spoken_keyboard(const Frame& frame);

}  // namespace hydra

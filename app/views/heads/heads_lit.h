// Heads: where in a text the head in focus lights up, the strongest first, in a list from which a sentence is opened.
#pragma once
#include "app/views/frame/ui.h"

namespace hydra {

// The chip behind the others; a click opens the list.
void lit_chip(ui::Chips& chips);
void open_lit_list();
// The list, where it is open. Once a frame.
void draw_lit_list(Frame& frame);

}  // namespace hydra

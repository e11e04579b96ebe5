// What can be asked for at the moment, from the tables of views, pages and commands, for a tree of tabs and buttons in
// the place of the picture (app/platform/heard.h).
#pragma once
#include "app/platform/heard.h"
#include "app/views/frame/context.h"

namespace hydra {

// In the place of what the list has: in a frame in which nothing changed nothing is allocated.
void list_offers(const Frame& frame, std::vector<Heard::Offer>& offers);
// As its tab or button, or its key.
void carry_out(Frame& frame, Heard::Kind kind, int index);

}  // namespace hydra

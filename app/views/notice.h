// Sentences on the status line: why an edit was refused, why a key does nothing.
#pragma once
#include <string>

#include "app/views/view_state.h"

namespace hydra {

void say(ViewState& view, std::string sentence);
// Stays until an edit is accepted, at most some seconds.
void refuse(ViewState& view, std::string sentence);
// An edit was accepted, or what was typed is gone: nothing refused is on the screen any more.
void forget_refusal(ViewState& view);

}  // namespace hydra

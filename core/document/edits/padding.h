// What an edit of the pads does to all that is said of tokens by their places: it goes with its words. Part of
// edit.cpp, for which it is written.
#pragma once
#include "core/document/edits/edit.h"

namespace hydra {

void change(Document& document, const SetPads& edit);

}  // namespace hydra

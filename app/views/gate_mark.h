// The mark of a head whose gate is not 1: "×0.5" beside its number, everywhere the head is named.
#pragma once
#include "app/views/context.h"

namespace hydra {

// How wide the mark and the gap behind it are; 0 for an open gate, which has none. name is for tests.
float gate_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, ImFont* font);
// Whether the head's gate is 0, so that it adds nothing to the output.
bool is_silent(const Frame& frame, int layer, int head);

}  // namespace hydra

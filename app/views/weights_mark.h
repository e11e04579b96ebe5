// Beside a head's name: where its weights come from.
#pragma once
#include "app/views/context.h"

namespace hydra {

// "designed", "untrained, edited", small and soft at pos; how wide it is, 0 where it does not fit into room. name is
// for tests.
float weights_mark(const Frame& frame, const char* name, int head, ImVec2 pos, float room);

}  // namespace hydra

// The example sentences by group, and the documents that ship.
#pragma once
#include "app/views/context.h"

namespace hydra {

// A button and its menu. Probe names: examples, examples/group/Pronouns, examples/sentence/0, examples/slices.json.
void draw_examples_menu(Frame& frame);

}  // namespace hydra

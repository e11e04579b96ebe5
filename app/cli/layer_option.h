// --layer: which layer of a document a command is about.
#pragma once
#include "core/document/document.h"

namespace hydra {

// From 0. Throws InputError when the document has no such layer; number_from_one is counted as on the screen.
int layer_index(int number_from_one, const Document& document);

}  // namespace hydra

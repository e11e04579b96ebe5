// Edits of the list of layers. Part of edit.cpp, for which it is written. Each throws InputError with one sentence.
#pragma once
#include "core/document/document.h"

namespace hydra {

// A layer after that at `after`: with its heads, mask and settings, untrained weights from the next seed that no layer
// has, their gain fitted to what the layer before gives.
void add_layer(Document& document, int after);
void remove_layer(Document& document, int at);
// That seed, or the next one that no layer before that place has.
std::uint64_t free_seed(const Document& document, int before, std::uint64_t seed);

}  // namespace hydra

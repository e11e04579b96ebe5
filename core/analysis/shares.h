// What a head attends to, as shares of its attention: what measures read that take the rows of a pattern for
// distributions (roles, divergences, rollout).
#pragma once
#include "core/attention/forward.h"

namespace hydra {

// Weights that may be negative, and whose rows may have any sum: their sizes, each row divided by its sum where that is
// above 1. What softmax gives, with a sink or without, stays what it is but for rounding.
Mat<float> shares_of(MatIn<float> weights);

// Of a head [n x n]: its attention itself where softmax gave it, else the shares of it (is_signed).
Array<float> attention_shares(const LayerTrace<float>& layer, Index head);

}  // namespace hydra

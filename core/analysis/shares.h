// What a head attends to, as shares of its attention: what measures read that take the rows of a pattern for
// distributions (roles, divergences, rollout).
#pragma once
#include <optional>
#include <vector>

#include "core/attention/forward.h"

namespace hydra {

// Weights that may be negative, and whose rows may have any sum: their sizes, each row divided by its sum where that is
// above 1. What softmax gives, with a sink or without, stays what it is but for rounding.
Mat<float> shares_of(MatIn<float> weights);

// Of a head [n x n]: its attention itself where softmax gave it, else the shares of it (is_signed).
Array<float> attention_shares(const LayerTrace<float>& layer, Index head);

// What each query gives to the head's sink: what its weights leave of 1; of a row set by hand 0, and 1 where the mask
// hides every key. Nothing without a sink, and where the weights are no softmax's alone (is_signed).
std::optional<std::vector<double>> sink_shares(const LayerTrace<float>& layer, Index head);

// Stands for ln 0. A weight of 0 makes 0 of it, the least weight above 0 (1e-45) still more than any finite sum.
inline constexpr double kLogOfZero = -1e300;
// [n x n] ln of the shares of a head's attention, in double from its scores: a weight that a float has lost (below
// 1e-45) has one all the same, so that a divergence is infinite only where a mask or a row set by hand gives 0. Rows
// that are not finite, or that see nothing, are kLogOfZero.
Mat<double> log_shares(const LayerTrace<float>& layer, Index head);

}  // namespace hydra

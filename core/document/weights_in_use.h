// Where the weights of each head come from, in a word.
#pragma once
#include <string>
#include <vector>

#include "core/document/document.h"

namespace hydra {

// Of each head: "designed", "trained", "untrained" (of a seed, or as training begins), "identity", "zero" or "given"
// (number by number), and ", edited" behind it where the head's part of a weight is not what that stands for. Designed
// and trained ones of another number of heads are "designed, cut anew". from: what the layer's source stands for.
std::vector<std::string> weights_in_use(const Layer& layer, const AttentionWeights<float>& from);
// Whether heads are told from what the source stands for; given numbers stand for themselves, or have fingerprints.
bool is_compared(const Layer& layer);
AttentionWeights<float> weights_of_source(const Layer& layer, ModelColumns columns);  // none where nothing is compared

}  // namespace hydra

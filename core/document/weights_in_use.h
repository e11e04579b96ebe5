// Where the weights of each head come from, in a word.
#pragma once
#include <string>
#include <vector>

#include "core/document/document.h"

namespace hydra {

// Of each head: "designed", "untrained" (Xavier from a seed), "identity", "zero" or "given" (number by number), and
// ", edited" behind it where the head's blocks of W_Q, W_K, W_V, W_O, or a bias, are not what that stands for. Designs
// of another number of heads are "designed, cut anew". from: what the layer's source stands for.
std::vector<std::string> weights_in_use(const Layer& layer, const AttentionWeights<float>& from);
AttentionWeights<float> weights_of_source(const Layer& layer,
                                          ModelColumns columns);  // the present ones where they are given

}  // namespace hydra

// What a head is made of, and a number by which it is known again: whether anything of it was edited since.
#pragma once
#include <vector>

#include "core/document/document.h"

namespace hydra {

// Of a head its blocks of every weight that has one, whole those that all heads share: W_Q, W_K, W_V, W_O first. What
// the layer does not have is empty.
std::vector<Array<float>> parts_of_head(const AttentionWeights<float>& weights, const KeyGroups& groups, Index head);

// A number of each head, of the bits of its parts: another wherever one number of them is another.
std::vector<std::uint64_t> fingerprints_of(const AttentionWeights<float>& weights, const KeyGroups& groups);
std::vector<std::uint64_t> fingerprints_of(const Layer& layer);

// The layer's weights, as they are, are what training has made or begun with.
void mark(Layer& layer, WeightSource::Kind kind);

}  // namespace hydra

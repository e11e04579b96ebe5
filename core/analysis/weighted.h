// Patterns derived from a head's attention that the trace does not hold.
#pragma once
#include <vector>

#include "core/attention/trace.h"

namespace hydra {

// a_ij ||v_j W_O^i||: attention weighted by the norm of what it carries to the output.  [n x n]
// Kobayashi et al. 2020, "Attention is Not Only a Weight", section 2.2. Rows do not sum to one.
Mat<float> value_weighted_attention(const LayerTrace<float>& layer, int head);
// Its largest finite |value|, without making it.
float largest_value_weighted(const LayerTrace<float>& layer, int head);

// The mean of the heads' patterns, rows sum to one but for what sinks take, and where they may be negative. heads must
// not be empty.  [n x n]
Mat<float> mean_attention(const LayerTrace<float>& layer, const std::vector<int>& heads);

}  // namespace hydra

// Where a head looks when its queries are of one sentence and its keys of another.
#pragma once
#include "core/attention/trace.h"

namespace hydra {

// [n x n] attention of the head, by the layer's own forward pass: what the settings make of queries, keys and scores
// counts. Both layers are of the same model on as many tokens, and whole. From a layer and itself its own pattern, to
// what is rounded, but for rows that are painted.
Array<float> mixed_pattern(const LayerTrace<float>& queries, const LayerTrace<float>& keys, Index head);

}  // namespace hydra

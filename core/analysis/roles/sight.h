// What a head can see: how strongly each column of the embedding moves its query, its key and its value.
#pragma once
#include "core/weights/split.h"

namespace hydra {

// [3 x d_model]: the length of row k of the head's block of W_Q, of W_K and of W_V, which is how far its query, its key
// and its value move when column k of X grows by 1. From the stored weights, read as the split says, whichever is in
// force: a slice has 0 outside of columns head * d_k .. (head + 1) * d_k.
Mat<float> head_sight(const AttentionWeights<float>& weights, Index heads, Index head, Split split);

}  // namespace hydra

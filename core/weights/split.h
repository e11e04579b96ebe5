// Two ways to give every head its part. projection: head i projects the whole embedding with its own d_model x d_k
// matrices, which is what transformers do (Vaswani et al. 2017, section 3.2.2). slice: the embedding itself is cut and
// head i reads columns i*d_k .. (i+1)*d_k of X alone, as some introductions say; that is a projection whose other
// weights are zero.
#pragma once
#include "core/weights/weights.h"

namespace hydra {

enum class Split { projection, slice };

// Whether W_Q, W_K or W_V [row, col] counts: always for a projection; for slices where row and col are of the same
// head.
inline bool reads(Split split, Index d_k, Index row, Index col) {
  return split == Split::projection || row / d_k == col / d_k;
}

// The matrix with `other` wherever slices of d_k columns do not read it: 0 for computing.
Array<float> sliced(const Array<float>& matrix, Index d_k, float other = 0);

// The weights as the heads use them: W_Q, W_K and W_V sliced when the split says so; the very same otherwise.
AttentionWeights<float> restricted(const AttentionWeights<float>& weights, Index d_k, Split split);

}  // namespace hydra

// A = softmax(S) by row: how much each query attends to each key. Single precision by the kernels for this processor
// (linalg/kernels/kernels.h).
#pragma once
#include "core/linalg/types.h"

namespace hydra::softmax {

// out[i,j] = exp(scores[i,j] - max_j) / sum_j exp(...)  [n x m]. A score of -inf is masked and gets 0. A row with
// nothing to attend to (all -inf) becomes zeros. The maximum is taken first, so scores of any finite size do not
// overflow. A row with a NaN or +inf becomes NaN, which the views mark. scores and out may be the same matrix.
template <class S>
void forward(MatIn<S> scores, MatOut<S> out);

// Turns count scores, none above top, into exp(score - top), and returns their sum: softmax up to the division.
template <class S>
S exponentials(S* scores, Index count, S top);

// The derivative of a number by the scores, from that by A = softmax(scores): dS = A o (dA - rowsum(A o dA)). 0 where a
// score is masked, and in rows with nothing to attend to. dS may be dA.
template <class S>
void grad(MatIn<S> A, MatIn<S> dA, MatOut<S> dS);

}  // namespace hydra::softmax

// A = softmax(S) by row: how much each query attends to each key. With a sink s it is softmax([S, s]) without the last
// column: exp(S) / (exp(s) + sum of exp(S)), so that a row may sum to less than 1 (Miller 2023 for s = 0). Single
// precision by the kernels for this processor (linalg/kernels/kernels.h).
#pragma once
#include <optional>

#include "core/linalg/types.h"

namespace hydra::softmax {

// out[i,j] = exp(scores[i,j] - max_j) / sum_j exp(...)  [n x m]. A score of -inf is masked and gets 0. A row with
// nothing to attend to (all -inf) becomes zeros. The maximum is taken first, so scores of any finite size do not
// overflow. A row with a NaN or +inf becomes NaN, which the views mark. scores and out may be the same matrix. parts: a
// divisor of m; a row is that many independent softmaxes side by side.
template <class S>
void forward(MatIn<S> scores, MatOut<S> out, std::optional<S> sink = std::nullopt, Index parts = 1);

// Turns count scores, none above top, into exp(score - top), and returns their sum: softmax up to the division.
template <class S>
S exponentials(S* scores, Index count, S top);

// The derivative of a number by the scores, from that by A = softmax(scores): dS = A o (dA - rowsum(A o dA)). 0 where a
// score is masked, and in rows with nothing to attend to. The same with a sink. dS may be dA. parts as above.
template <class S>
void grad(MatIn<S> A, MatIn<S> dA, MatOut<S> dS, Index parts = 1);
// By the sink.
template <class S>
S grad_sink(MatIn<S> A, MatIn<S> dA);

}  // namespace hydra::softmax

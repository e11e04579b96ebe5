// Softmax by row.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

// out[i,j] = exp(scores[i,j] - max_j) / sum_j exp(...)  [n x m]. A score of -inf is masked and gets 0. A row with
// nothing to attend to (all -inf) becomes zeros. The maximum is taken first, so scores of any finite size do not
// overflow. A row with a NaN or +inf becomes NaN, which the views mark. scores and out may be the same matrix.
template <class S>
void softmax_rows(MatIn<S> scores, MatOut<S> out);

}  // namespace hydra

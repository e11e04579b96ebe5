// Attention rollout (Abnar and Zuidema 2020, section 3): how far each token's stream, after a layer, is traced back to
// each word, if attention were all that moved anything:
//   R_l = N_l R_(l-1),  R_0 = I,  N_l = (A_l + I) / 2 with its rows divided by their sums, A_l the mean of the heads'
//   patterns.
// I stands for the residual sum, so it is left out of a layer that has none. A row of a token that sees nothing is 0,
// and stays the token's own by I. Value-weighted: A_l is the sum over heads of gate a_ij ||v_j W_O|| (Kobayashi et al.
// 2020), its rows divided by their sums: what little is carried counts little. Weights that may be negative count by
// their sizes (shares.h).
// What it is not: the share of a word in what is computed. It knows nothing of what feed-forward parts and norms do,
// nor of heads that cancel; where attention looks and what it moves are not the same.
#pragma once
#include <stop_token>

#include "core/attention/trace.h"

namespace hydra {

enum class RolloutKind { attention, value_weighted };

// The last product: reached = step * before.  [n x n] each
struct Rollout {
  Mat<double> before, step, reached;  // R_(l-1), N_l, R_l; the identity, each, after no layer
};
// Throws Stopped between two layers. The same bits at any number of threads.
Rollout rollout_steps(const Trace& trace, int layers, RolloutKind kind, ThreadPool* pool = nullptr,
                      const std::stop_token& stop = {});

// [n x n] after that many layers, 0 for none: row the token, column the word that it began as. Rows sum to 1, to
// less where a token that saw nothing (or gave all to a sink), or to which nothing was carried, was not carried on.
Mat<double> rollout(const Trace& trace, int layers, RolloutKind kind, ThreadPool* pool = nullptr);

}  // namespace hydra

// Heads made alike, and heads driven apart.
#pragma once
#include "core/attention/forward.h"

namespace hydra {

// Every head's block of W_Q, W_K, W_V and W_O, and of b_Q, b_K and b_V, moved towards the mean of all heads' blocks:
// (1 - amount) block + amount mean. amount 0 gives the very same matrices, 1 equal heads (not when they are slices,
// which read different columns of X). Keys and values that heads share are blocks of groups.
AttentionWeights<float> towards_mean(const AttentionWeights<float>& weights, Index heads, float amount);

// The mean over pairs of heads of the cosine of their patterns (likeness.h), and its gradient by W_Q and W_K. Painted
// rows do not follow the weights, so nothing flows through them.
template <class S>
struct PatternCosine {
  S value = 0;
  Mat<S> W_Q, W_K;     // as large as the weights: d value / d weight
  RowVec<S> b_Q, b_K;  // the same of the biases; empty when there are none
};
template <class S>
PatternCosine<S> mean_pattern_cosine(const LayerTrace<S>& layer);

struct Repelled {
  AttentionWeights<float> weights;
  double before = 0, after = 0;  // the mean cosine
  int steps = 0;                 // that lowered it
};
// Up to that many steps of gradient descent on the mean cosine by W_Q, W_K and their biases, each as long as lowers it
// most of a few lengths tried (none: it stops there). Heads that are exactly alike have no gradient that parts them:
// such heads take a small random step, from the seed, first. Weights that slices do not read stay; so does everything
// when nothing lowers it, or there is no pair.
Repelled repel(const LayerInput<float>& input, int steps, std::uint64_t seed);

}  // namespace hydra

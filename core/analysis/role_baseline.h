// What chance gives: the measures of heads with random weights on the same input. A score means something only beside
// it.
#pragma once
#include "core/analysis/roles.h"
#include "core/linalg/parallel.h"

namespace hydra {

// Of at least this many random heads is the mean taken, in two draws of weights or more.
inline constexpr Index kLeastRandomHeads = 32;
Index random_draws(Index heads);

struct BaselineSentence {
  MatPtr<float> X;                           // [n x d_model]
  const SentenceTargets* targets = nullptr;  // with the mask
};

// The measures of each head pooled over the sentences (not empty), then the mean over all heads of random_draws(heads)
// layers with Xavier weights of fixed seeds, without biases: always the same numbers. score_factor is what the layer
// multiplies q . k with. Keeps one pattern per thread in memory, not one per head.
RoleMeasures random_baseline(const std::vector<BaselineSentence>& sentences, Index heads, float score_factor,
                             ThreadPool* pool = nullptr);

}  // namespace hydra

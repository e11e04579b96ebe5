// What chance gives: the measures of heads with random weights on the same input. A score means something only against
// it.
#pragma once
#include "core/analysis/roles/roles.h"
#include "core/work/parallel.h"

namespace hydra {

// Of at least this many random heads is the mean taken, in two draws of weights or more.
inline constexpr Index kLeastRandomHeads = 32;
Index random_draws(Index heads);

struct BaselineSentence {
  Array<float> X;                            // [n x d_model]
  const SentenceTargets* targets = nullptr;  // with the mask
  double stream = kUndefined;                // squared norm of the stream that enters the layer
};

// What the random heads have in common with those of the layer.
struct HeadsLike {
  Index heads = 1, kv_heads = 1;  // a divisor of heads: so many have keys and values of their own
  float score_factor = 1;         // what q . k is multiplied with, in heads without a temperature of their own
  Split split = Split::projection;
  LayerSettings settings{};      // those of the heads; scale and temperature are in the factor
  Index own_width = 0;           // of all heads side by side, where it is not d_model
  std::vector<HeadTerms> own{};  // as LayerInput has them
  std::vector<Index> kv_of{};    // as LayerInput's weights have it
  KeyGroups key_groups() const { return {heads, kv_of.empty() ? heads / kv_heads : 1, kv_of}; }
  Index layer = 0;  // its number, by which weights are dropped
  Index concat_width(Index d_model) const { return own_width == 0 ? d_model : own_width; }
  Index d_k(Index d_model) const { return concat_width(d_model) / heads; }
  bool operator==(const HeadsLike&) const = default;
};
HeadsLike heads_like(const LayerInput<float>& layer);
scores::Rule<float> score_rule(const HeadsLike& layer, Index head);  // but for a bias by offset, which is drawn
std::optional<float> sink_of(const HeadsLike& layer);                // as it begins
// Queries or keys of a random head, from that place on, as they meet in the scores: in their own place.
void norm_and_rotate(const HeadsLike& layer, Index place, MatOut<float> rows);
// The weights of one random layer, drawn as an untrained layer of this shape draws its own.
AttentionWeights<float> random_weights(Index d_model, const HeadsLike& layer, std::uint64_t seed);

// The layer with these weights on one input; for heads that are made of several patterns.
LayerInput<float> random_input(const Array<float>& X, const Mask& mask, const AttentionWeights<float>& weights,
                               const HeadsLike& layer);

// The measures of each head pooled over the sentences (not empty), then their mean over all heads of
// random_draws(heads) layers with random_weights of fixed seeds, without biases: always the same numbers. Keeps one
// pattern per thread in memory, not one per head.
RoleMeasures random_baseline(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer,
                             ThreadPool* pool = nullptr);

}  // namespace hydra

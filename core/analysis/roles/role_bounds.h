// What a score must exceed to name a head: the bounds that hardly any layer of random heads exceeds, for all of its
// heads and all claims together.
//
// Whole layers are drawn as an untrained layer is (random_weights) and measured on the same sentences, so that the
// bounds know how many heads there are, that heads may share keys, and that one head's rows and claims hang together.
// Of each layer the best head counts, claim by claim. Claims differ in level and spread, so their logits are
// standardised by the mean m and the deviation s of those best heads; a layer's height is its largest one over all
// claims of at least three rows (a max-statistic: Westfall and Young 1993; standardised: Romano and Wolf 2005). The
// bound of a claim is at m + c s, with c the k-th largest height, where k is the most that says with 99 % confidence
// that at most 5 % of all such layers are higher (a tolerance limit: Wilks 1941): the highest of 90 layers, the
// eleventh of 400. Fewer layers so make the bounds stricter, never looser.
#pragma once
#include <stop_token>

#include "core/analysis/roles/role_baseline.h"
#include "core/analysis/roles/role_claims.h"

namespace hydra {

inline constexpr Index kLeastRows = 3;          // of evidence for a name
inline constexpr double kNamedByChance = 0.05;  // of random layers at most, with any head and any claim
inline constexpr double kBoundConfidence = 0.99;
inline constexpr Index kLeastLayers = 90, kMostLayers = 400;

struct NameBounds {
  Index layers = 0, heads = 0;  // random layers that were drawn, heads of each; no layers: nothing is named
  // Of the best head of a layer, claim by claim: the median of the layers, and what a name must exceed. NaN for a claim
  // without a row.
  std::array<double, kClaims> median{}, needed{};
  std::array<double, kClaims> middle{}, spread{};  // m and s, on the scale of the logits
  double height = 0;                               // c
};

// How many standard deviations of random layers' best heads the score lies above their mean; NaN when not defined.
double height_of(const NameBounds& bounds, int claim, double score);
// Whether the score is above chance, on enough rows.
bool exceeds(const NameBounds& bounds, int claim, const Role& score);

// Claim by claim the one of the two that needs the higher score.
NameBounds higher_of(const NameBounds& a, const NameBounds& b);

// The most k so that the k-th largest of so many draws is exceeded by at most kNamedByChance of all, at
// kBoundConfidence; 0 when even the largest does not say so.
Index exceeding_layers(Index layers);

// How many layers are drawn: as many as take about a second, from kLeastLayers to kMostLayers; 0 where the least would
// take half a minute. Depends on the sizes alone, so that every machine has the same bounds.
Index layers_to_draw(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer);

// The claims' scores of the best head of one layer of random_weights, pooled over the sentences (not empty).
std::array<double, kClaims> best_of_layer(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer,
                                          std::uint64_t seed);

// Always the same numbers. Throws Stopped when that is requested.
NameBounds name_bounds(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer,
                       ThreadPool* pool = nullptr, const std::stop_token& stop = {});

}  // namespace hydra

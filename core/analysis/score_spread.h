// How far the scores of a layer are spread, which decides how sharply its heads attend: near 0 every key gets the same.
#pragma once
#include <vector>

#include "core/attention/forward.h"

namespace hydra {

// The standard deviation of the finite unmasked scores of all heads together; of long sentences with many heads those
// of every so many queries. Not a number where there is none.
double score_spread(const LayerTrace<float>& layer);
// The same of each head.
std::vector<double> score_spreads(const LayerTrace<float>& layer);
// The same of a layer that is not evaluated.
double score_spread(const LayerInput<float>& input);

}  // namespace hydra

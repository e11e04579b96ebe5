#include "core/document/slices.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/analysis/score_spread.h"
#include "core/document/evaluate.h"

namespace hydra {

namespace {

// Within what files may have; 1 for what is no factor.
float usable(double factor) {
  const auto single = static_cast<float>(factor);
  return single >= kMinGain && single <= kMaxGain ? single : 1;
}

float in_three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return std::strtof(text, nullptr);
}

}  // namespace

float slice_factor(const Document& document, int layer) {
  Document whole = document, cut = document;
  whole.layer(layer).split = Split::projection;
  cut.layer(layer).split = Split::slice;
  for (Document* d : {&whole, &cut}) d->layer(layer).slice_factor.reset();
  return usable(score_spread(input_of(whole, layer)) / score_spread(input_of(cut, layer)));
}

void renew_slice_factor(Document& document) {
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) {
    std::optional<float>& factor = document.layer(k).slice_factor;
    if (factor) factor = slice_factor(document, k);
  }
}

float untrained_gain(const Document& document, int place) {
  Document plain = document;
  Layer& layer = plain.layer(place);
  const std::uint64_t seed = layer.source.seed;
  layer.source = WeightSource();
  layer.source.seed = seed;
  layer.weights = weights_of(layer.source, layer, plain.columns());
  const double spread = score_spread(input_of(plain, place));
  if (!(spread > 0) || spreads_enough(spread)) return 1;
  return in_three_digits(usable(1 / std::sqrt(spread)));
}

bool spreads_enough(double spread) { return spread >= 0.5 && spread <= 2; }

bool takes_gain(const WeightSource& source) {
  return source.kind == WeightSource::Kind::random && source.init == Init::xavier && source.designs.empty();
}

}  // namespace hydra

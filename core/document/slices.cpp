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

float slice_factor(const Document& document) {
  Document whole = document, cut = document;
  whole.layers.front().split = Split::projection;
  cut.layers.front().split = Split::slice;
  for (Document* d : {&whole, &cut}) d->layers.front().slice_factor.reset();
  return usable(score_spread(input_of(whole)) / score_spread(input_of(cut)));
}

void renew_slice_factor(Document& document) {
  Layer& layer = document.layers.front();
  if (layer.slice_factor) layer.slice_factor = slice_factor(document);
}

float untrained_gain(const Document& document) {
  Document plain = document;
  Layer& layer = plain.layers.front();
  layer.source = {WeightSource::Kind::random, Init::xavier, layer.source.seed, {}};
  layer.weights = weights_of(layer.source, plain.d_model, layer.kv_width(plain.d_model));
  const double spread = score_spread(input_of(plain));
  if (!(spread > 0) || spreads_enough(spread)) return 1;
  return in_three_digits(usable(1 / std::sqrt(spread)));
}

bool spreads_enough(double spread) { return spread >= 0.5 && spread <= 2; }

bool takes_gain(const WeightSource& source) {
  return source.kind == WeightSource::Kind::random && source.init == Init::xavier && source.designs.empty();
}

}  // namespace hydra

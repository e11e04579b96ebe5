#include "core/document/cutting.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/attention/config.h"
#include "core/document/painting.h"
#include "core/text/feature_layout.h"

namespace hydra {

namespace {

// Designs stay with a new width when it has named columns and the heads are cut as before.
void keep_designs(const Layer& layer, WeightSource& source, Index d_model) {
  const bool fits = static_cast<Index>(source.designs.size()) == layer.heads && has_feature_layout(d_model);
  if (!fits) source.designs.clear();
}

Index nearest_head_count(Index d_model, Index heads) {
  const std::vector<Index> counts = head_counts(d_model);
  return *std::min_element(counts.begin(), counts.end(),
                           [&](Index a, Index b) { return std::abs(a - heads) < std::abs(b - heads); });
}

// Of groups where they fit, else of one head each.
Index fitting_group(Index heads, Index group) { return heads % group == 0 ? group : 1; }

}  // namespace

void cut_into_heads(Layer& layer, Index d_model, Index heads) {
  check_sizes(1, d_model, heads);
  const Index heads_before = layer.heads, group = layer.group_size;
  if (heads == heads_before) return;
  if (heads % group != 0) share_keys(layer, d_model, layer.heads);
  layer.heads = heads;
  layer.group_size = fitting_group(heads, group);
  fit_settings(layer.settings, layer.shape(d_model));
  layer.gates.clear();
  fit_parameters(layer, d_model);
  keep_painting_of(layer, d_model, heads_before, d_model);
}

void share_keys(Layer& layer, Index d_model, Index kv_heads, bool keep_norm) {
  check_kv_heads(kv_heads, layer.heads);
  if (kv_heads == layer.kv_heads()) return;
  Layer changed = layer;
  changed.group_size = layer.heads / kv_heads;
  changed.source.designs.clear();
  if (changed.other) changed.other->source.designs.clear();
  check_kv_heads(changed);
  changed.weights = with_kv_heads(layer.weights, layer.heads, kv_heads, keep_norm);
  if (layer.other) changed.other->weights = with_kv_heads(layer.other->weights, layer.heads, kv_heads, keep_norm);
  check_weights(changed.weights, changed, d_model);
  layer = std::move(changed);
}

void renew_for_width(Layer& layer, ModelColumns columns, Index d_model_before) {
  const Index d_model = columns.d_model;
  const Index group = layer.group_size;
  const Index heads_before = std::exchange(layer.heads, nearest_head_count(d_model, layer.heads));
  layer.group_size = fitting_group(layer.heads, group);
  Index& hidden = layer.settings.feed_forward_width;  // as many times d_model as before, where it can be
  if (hidden % d_model_before == 0) hidden = hidden / d_model_before * d_model;
  if (hidden > kMaxHidden) hidden = kMaxHidden;
  fit_settings(layer.settings, layer.shape(d_model));
  const auto renew = [&](WeightSource& source, AttentionWeights<float>& weights) {
    source.kind = WeightSource::Kind::random;
    keep_designs(layer, source, d_model);
    weights = weights_of(source, layer, columns);
  };
  renew(layer.source, layer.weights);
  if (layer.other) renew(layer.other->source, layer.other->weights);
  if (layer.heads != heads_before) layer.gates.clear();
  keep_painting_of(layer, d_model, heads_before, d_model_before);
}

}  // namespace hydra

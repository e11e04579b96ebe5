#include "core/document/edits/cutting.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/document/edits/painting.h"
#include "core/document/fields.h"
#include "core/model/program.h"
#include "core/text/feature_layout.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

// Designs stay with a new width when it has named columns and the heads are cut as before.
void keep_designs(Layer& layer, Index d_model) {
  const bool fits = static_cast<Index>(layer.source.designs.size()) == layer.heads && has_feature_layout(d_model);
  if (!fits) layer.source.designs.clear();
}

Index nearest_head_count(Index width, Index heads) {
  const std::vector<Index> counts = head_counts(width);
  return *std::min_element(counts.begin(), counts.end(),
                           [&](Index a, Index b) { return std::abs(a - heads) < std::abs(b - heads); });
}

// Of groups where they fit, else of one head each.
Index fitting_group(Index heads, Index group) { return heads % group == 0 ? group : 1; }

}  // namespace

void cut_into_heads(Layer& layer, Index d_model, Index heads) {
  check_heads(heads, layer.concat_width(d_model), d_model);
  const Index heads_before = layer.heads, d_k_before = layer.d_k(d_model), group = layer.group_size;
  if (heads == heads_before) return;
  if (heads % group != 0 || !layer.kv_of.empty()) share_keys(layer, d_model, layer.heads);
  layer.heads = heads;
  layer.group_size = fitting_group(heads, group);
  fit_settings(layer.settings, layer.shape(d_model));
  layer.gates.clear();
  fit_rules(layer.own, heads, layer.mask.kind);
  fit_parameters(layer, d_model);
  keep_painting_of(layer, d_model, heads_before, d_k_before);
}

namespace {

// What a head has along an axis of a parameter stands together: so many blocks of so many numbers; one where the axis
// is of no head.
struct Blocks {
  Index count = 1, size = 1;
};
Blocks blocks_of(const Layer& layer, Index d_model, Axis axis, bool of_group, Index size) {
  if (axis == Axis::heads) return {layer.heads, 1};
  if (axis == Axis::head_dim) return {of_group ? layer.kv_heads() : layer.heads, layer.d_k(d_model)};
  return {1, size};
}

// The values of a parameter for the new sizes: of each head what it had, the rest as it begins.
Array<float> carried_over(Quantity parameter, const Array<float>& from, const Array<float>& begun, const Layer& before,
                          const Layer& after, Index d_model) {
  const QuantityRow& entry = entry_of(parameter);
  const LayerWidths widths = after.widths(d_model);
  Mat<float> values = Mat<float>::Zero(widths.rows(parameter), widths.cols(parameter));
  if (begun) values = *begun;
  const auto along = [&](Axis axis, const Layer& layer, Index size) {
    return blocks_of(layer, d_model, axis, entry.of_group && axis == entry.cols, size);
  };
  const Blocks rows_before = along(entry.rows, before, from.rows()), rows = along(entry.rows, after, values.rows());
  const Blocks cols_before = along(entry.cols, before, from.cols()), cols = along(entry.cols, after, values.cols());
  const Index height = std::min(rows_before.size, rows.size), width = std::min(cols_before.size, cols.size);
  for (Index i = 0; i < std::min(rows_before.count, rows.count); ++i)
    for (Index j = 0; j < std::min(cols_before.count, cols.count); ++j)
      values.block(i * rows.size, j * cols.size, height, width) =
          from->block(i * rows_before.size, j * cols_before.size, height, width);
  return make_weight(parameter, std::move(values));
}

void size_weights(Layer& layer, const Layer& before, ModelColumns columns) {
  WeightSource& source = layer.source;
  const bool as_begun = !source.by_number() && same(layer.weights, weights_of(source, before, columns));
  if (static_cast<Index>(source.designs.size()) != before.heads) source.designs.clear();
  if (!source.designs.empty()) source.designs.resize(static_cast<std::size_t>(layer.heads));
  AttentionWeights<float> begun = weights_of(source, layer, columns);
  const LayerProgram& program = program_of(layer.settings);  // the new size may have switched something off
  if (!as_begun)
    for (const Quantity p : kWeights)
      if (Array<float>& values = *field_of(layer.weights, p); values && program.has(p))
        *field_of(begun, p) = carried_over(p, values, *field_of(begun, p), before, layer, columns.d_model);
  layer.weights = std::move(begun);
}

}  // namespace

void size_heads(Layer& layer, ModelColumns columns, Index heads, Index d_k) {
  const Index d_model = columns.d_model;
  check_head_width(d_k, heads);
  if (heads == layer.heads && d_k == layer.d_k(d_model)) return;
  if (heads % layer.group_size != 0 || (heads != layer.heads && !layer.kv_of.empty()))
    share_keys(layer, d_model, layer.heads);
  const Layer before = layer;
  layer.heads = heads;
  layer.own_width = heads * d_k == d_model ? 0 : heads * d_k;
  check_heads(layer, d_model);
  fit_settings(layer.settings, layer.shape(d_model));
  size_weights(layer, before, columns);
  if (heads != before.heads) layer.gates.clear();
  fit_rules(layer.own, heads, layer.mask.kind);
  keep_painting_of(layer, d_model, before.heads, before.d_k(d_model));
}

namespace {
void share_keys_by(Layer& layer, Index d_model, Index group_size, std::vector<Index> kv_of, bool keep_norm) {
  Layer changed = layer;
  changed.group_size = group_size;
  changed.kv_of = std::move(kv_of);
  if (changed.key_groups() == layer.key_groups()) return;
  changed.source.designs.clear();
  check_kv_heads(changed);
  changed.weights = with_key_groups(layer.weights, layer.key_groups(), changed.key_groups(), keep_norm);
  check_weights(changed.weights, changed, d_model);
  layer = std::move(changed);
}
}  // namespace

void share_keys(Layer& layer, Index d_model, Index kv_heads, bool keep_norm) {
  check_kv_heads(kv_heads, layer.heads);
  share_keys_by(layer, d_model, layer.heads / kv_heads, {}, keep_norm);
}

void share_keys(Layer& layer, Index d_model, const std::vector<Index>& kv_of) {
  const std::optional<Index> size = size_of_groups(kv_of, layer.heads);
  share_keys_by(layer, d_model, size.value_or(1), size ? std::vector<Index>() : kv_of, false);
}

void renew_for_width(Layer& layer, ModelColumns columns, Index d_model_before) {
  const Index d_model = columns.d_model;
  const Index group = layer.group_size, heads_before = layer.heads, d_k_before = layer.d_k(d_model_before);
  if (layer.own_width == d_model) layer.own_width = 0;
  layer.heads = nearest_head_count(layer.concat_width(d_model), layer.heads);
  layer.group_size = fitting_group(layer.heads, group);
  if (layer.heads != heads_before) layer.kv_of.clear();
  Index& hidden = layer.settings.feed_forward_width;  // as many times d_model as before, where it can be
  if (hidden % d_model_before == 0) hidden = hidden / d_model_before * d_model;
  if (hidden > kMaxHidden) hidden = kMaxHidden;
  fit_settings(layer.settings, layer.shape(d_model));
  layer.source.kind = WeightSource::Kind::random;
  layer.source.fingerprints.clear();
  keep_designs(layer, d_model);
  layer.weights = weights_of(layer.source, layer, columns);
  if (layer.heads != heads_before) layer.gates.clear();
  fit_rules(layer.own, layer.heads, layer.mask.kind);
  keep_painting_of(layer, d_model, heads_before, d_k_before);
}

}  // namespace hydra

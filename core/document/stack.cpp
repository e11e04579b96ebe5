#include "core/document/stack.h"

#include <algorithm>

#include "core/document/limits.h"
#include "core/document/slices.h"
#include "core/error.h"

namespace hydra {

std::uint64_t free_seed(const Document& document, int before, std::uint64_t seed) {
  const auto taken = [&](const Layer& layer) { return layer.source.seed == seed; };
  while (std::any_of(document.layers.begin(), document.layers.begin() + before, taken)) ++seed;
  return seed;
}

void add_layer(Document& document, int after) {
  check_layer_count(document.layers.size() + 1, document.d_model);
  const Layer& before = document.layer(after);
  Layer layer;
  layer.heads = before.heads;
  layer.group_size = before.group_size;
  layer.kv_of = before.kv_of;
  layer.own_width = before.own_width;
  layer.mask = before.mask;
  layer.settings = before.settings;
  layer.own = before.own;
  layer.split = before.split;
  layer.slice_factor = before.slice_factor;
  layer.source.seed = free_seed(document, static_cast<int>(document.layers.size()), before.source.seed);
  document.layers.insert(document.layers.begin() + after + 1, std::move(layer));
  Layer& added = document.layer(after + 1);
  check_width_count(document);
  added.weights = weights_of(added.source, added, document.columns());
  added.source.gain = untrained_gain(document, after + 1);
  added.weights = weights_of(added.source, added, document.columns());
  renew_slice_factor(document);
}

void remove_layer(Document& document, int at) {
  if (document.layers.size() == 1) throw InputError("a document has at least one layer; its only one stays");
  document.layers.erase(document.layers.begin() + at);
  renew_slice_factor(document);
}

}  // namespace hydra

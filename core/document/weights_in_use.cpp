#include "core/document/weights_in_use.h"

namespace hydra {

namespace {

std::string word_of(const WeightSource& source, Index head) {
  const auto h = static_cast<std::size_t>(head);
  if (h < source.designs.size() && source.designs[h]) return "designed";
  if (source.kind == WeightSource::Kind::explicit_values) return "given";
  switch (source.init) {
    case Init::xavier:
      return "untrained";
    case Init::identity:
      return "identity";
    case Init::zero:
      return "zero";
  }
  return "given";
}

bool same_columns(const MatPtr<float>& a, const MatPtr<float>& b, Index first, Index count) {
  return a == b || a->middleCols(first, count) == b->middleCols(first, count);
}

// Biases come from no source, so any is an edit.
bool is_edited(const Layer& layer, const AttentionWeights<float>& from, Index head, Index d_k) {
  const AttentionWeights<float>& w = layer.weights;
  const Index first = head * d_k, kv_first = kv_column(w, layer.heads, head);
  return w.b_Q || w.b_K || w.b_V || w.b_O || !same_columns(w.W_Q, from.W_Q, first, d_k) ||
         !same_columns(w.W_K, from.W_K, kv_first, d_k) || !same_columns(w.W_V, from.W_V, kv_first, d_k) ||
         (w.W_O != from.W_O && w.W_O->middleRows(first, d_k) != from.W_O->middleRows(first, d_k));
}

}  // namespace

AttentionWeights<float> weights_of_source(const Layer& layer, Index d_model) {
  if (layer.source.kind == WeightSource::Kind::explicit_values) return layer.weights;
  return weights_of(layer.source, d_model, layer.kv_width(d_model));
}

std::vector<std::string> weights_in_use(const Layer& layer, const AttentionWeights<float>& from) {
  const Index d_k = layer.weights.W_Q->cols() / layer.heads;
  const std::size_t designs = layer.source.designs.size();
  const bool cut_anew = designs != 0 && static_cast<Index>(designs) != layer.heads;
  const bool given = layer.source.kind == WeightSource::Kind::explicit_values;
  std::vector<std::string> words;
  for (Index h = 0; h < layer.heads; ++h) {
    words.push_back(cut_anew ? "designed, cut anew" : word_of(layer.source, h));
    if (!given && is_edited(layer, from, h, d_k)) words.back() += ", edited";
  }
  return words;
}

}  // namespace hydra

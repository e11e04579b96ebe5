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

bool same(const Array<float>& a, const Array<float>& b) { return a == b || *a == *b; }

// Biases come from no source, so any is an edit.
bool is_edited(const Layer& layer, const AttentionWeights<float>& from, Index head, Index d_k) {
  const AttentionWeights<float>& w = layer.weights;
  const Index first = head * d_k, kv_first = kv_column(w, layer.heads, head);
  const auto changed = [&](const Array<float>& now, const Array<float>& old, Index at) {
    return !same(now.columns(at, d_k), old.columns(at, d_k));
  };
  if (w.sink && !same(w.sink.columns(head, 1), from.sink.columns(head, 1))) return true;
  if (w.w_G && !same(w.w_G.columns(head, 1), from.w_G.columns(head, 1))) return true;
  for (const auto P : {&AttentionWeights<float>::P_L, &AttentionWeights<float>::P_W})
    if (w.*P && !same((w.*P).row_block(head, 1), (from.*P).row_block(head, 1))) return true;
  if (w.W_G && changed(w.W_G, from.W_G, first)) return true;
  for (const auto row : {&AttentionWeights<float>::lambda_q1, &AttentionWeights<float>::lambda_k1,
                         &AttentionWeights<float>::lambda_q2, &AttentionWeights<float>::lambda_k2})  // of all heads
    if (w.*row && !same(w.*row, from.*row)) return true;
  if (w.gain_O && changed(w.gain_O, from.gain_O, first)) return true;
  if (w.gain_Q && (changed(w.gain_Q, from.gain_Q, first) || changed(w.gain_K, from.gain_K, kv_first))) return true;
  return w.b_Q || w.b_K || w.b_V || w.b_O || changed(w.W_Q, from.W_Q, first) || changed(w.W_K, from.W_K, kv_first) ||
         changed(w.W_V, from.W_V, kv_first) || !same(w.W_O.row_block(first, d_k), from.W_O.row_block(first, d_k));
}

}  // namespace

AttentionWeights<float> weights_of_source(const Layer& layer, ModelColumns columns) {
  if (layer.source.kind == WeightSource::Kind::explicit_values) return layer.weights;
  return weights_of(layer.source, layer, columns);
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

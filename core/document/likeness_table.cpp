#include "core/document/likeness_table.h"

#include <limits>

#include "core/analysis/head_forms.h"

namespace hydra {

namespace {

LikenessTable table_of(LikenessMatrices& matrices, IndependentMeasures& independent,
                       const std::vector<LayerTrace<float>>& sentences, const LikenessWanted& wanted) {
  LikenessTable table;
  table.stamp = new_stamp();
  table.ordered_by = wanted.ordered_by;
  for (const LikenessEntry& entry : likenesses()) {
    const auto k = static_cast<std::size_t>(entry.measure);
    if (wanted.measures[k] || entry.measure == wanted.ordered_by)
      table.matrices[k] = share(Mat<double>(matrices.matrix(entry.measure)));
  }
  const Mat<double> between = distances(wanted.ordered_by, *table.matrix(wanted.ordered_by));
  table.clustering = average_linkage(between);
  table.map = classical_scaling(between);
  table.mean_cosine = mean_pairwise(matrices.matrix(Likeness::cosine));
  table.effective_heads = effective_heads(matrices.pattern_gram());
  const Array<double>& js = table.matrix(Likeness::js_bits);
  table.mean_js_bits = js ? mean_pairwise(*js) : std::numeric_limits<double>::quiet_NaN();
  table.independent = independent.of(sentences, bool(js));
  return table;
}

}  // namespace

std::vector<HeadRanks> LikenessTables::ranks(const LayerTrace<float>& layer) {
  const AttentionWeights<float>& w = layer.input.weights;
  if (ranks_.size() != layer.heads.size()) ranks_.assign(layer.heads.size(), {});
  parallel_for(pool_, static_cast<Index>(ranks_.size()), [&](Index h) {
    KeptRanks& kept = ranks_[static_cast<std::size_t>(h)];
    const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
    const Stamp scores = (Key("scores") << head.asking().stamp() << head.asked().stamp()).stamp();
    const Stamp query_key = query_key_stamp(w, h, layer.input.d_k());
    if (kept.scores != scores) kept.ranks.scores = product_spectrum(*head.asking(), *head.asked());
    if (kept.query_key != query_key) kept.ranks.query_key = query_key_spectrum(w, layer.input.heads, h);
    kept.scores = scores;
    kept.query_key = query_key;
  });
  std::vector<HeadRanks> ranks;
  for (const KeptRanks& kept : ranks_) ranks.push_back(kept.ranks);
  return ranks;
}

LikenessTable LikenessTables::of_sentence(const LayerTrace<float>& layer, const LikenessWanted& wanted) {
  own_.set({layer});
  LikenessTable table = table_of(own_, own_independent_, {layer}, wanted);
  if (wanted.ranks) table.ranks = ranks(layer);
  return table;
}

LikenessTable LikenessTables::pooled(const Document& document, const Trace& trace, int layer,
                                     const MarkedSentences& marked, const LikenessWanted& wanted,
                                     std::atomic<int>* done) {
  std::vector<LayerTrace<float>> layers;
  for (const std::shared_ptr<const Trace>& sentence : traces_.evaluate(document, marked, pool_, done))
    layers.push_back(sentence->layer(layer));
  pooled_.set(layers);
  LikenessTable table = table_of(pooled_, pooled_independent_, layers, wanted);
  for (const AnnotatedSentence& sentence : *marked) table.sentences.push_back(sentence.sentence);
  if (wanted.ranks) table.ranks = ranks(trace.layer(layer));
  return table;
}

}  // namespace hydra

#include "core/measures/likeness_table.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/head_forms.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

struct Measures {
  LikenessMatrices& matrices;
  IndependentMeasures& independent;
};

LikenessTable table_of(const Measures& of, const std::vector<LayerOnSentences>& layers, const LikenessWanted& wanted,
                       const Progress& progress) {
  LikenessMatrices& matrices = of.matrices;
  matrices.set_layers(layers);
  matrices.set_progress(progress);
  LikenessTable table;
  table.stamp = new_stamp();
  table.ordered_by = wanted.ordered_by;
  for (const LikenessEntry& entry : likenesses()) {
    const auto k = static_cast<std::size_t>(entry.measure);
    if (wanted.measures[k] || entry.measure == wanted.ordered_by)
      table.matrices[k] = share(Mat<double>(matrices.matrix(entry.measure)));
  }
  if (table.matrix(Likeness::cka)) {
    table.unrelated = matrices.unrelated_outputs();
    table.no_cka = matrices.why_no_cka();
  }
  table.mean_cosine = mean_pairwise(matrices.matrix(Likeness::cosine));
  table.effective_heads = effective_heads(matrices.pattern_gram());
  matrices.set_progress({});
  const Mat<double> between = distances(wanted.ordered_by, *table.matrix(wanted.ordered_by));
  table.clustering = average_linkage(between);
  progress.check();
  table.map = classical_scaling(between);
  progress.check();
  const Array<double>& js = table.matrix(Likeness::js_bits);
  table.mean_js_bits = js ? mean_pairwise(*js) : std::numeric_limits<double>::quiet_NaN();
  table.independent = of.independent.of_layers(layers, bool(js), progress);
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

std::vector<LayerTrace<float>> whole_layers(const Trace& trace, ThreadPool* pool, const Progress& progress) {
  std::vector<LayerTrace<float>> layers;
  for (const LayerTrace<float>& layer : trace.layers) {
    layers.push_back(layer.is_whole() ? layer : forward<float>(layer.input, nullptr, pool));
    progress.check();
  }
  return layers;
}

LikenessTable LikenessTables::of_sentence(const LayerTrace<float>& layer, const LikenessWanted& wanted) {
  LikenessTable table = table_of({own_, own_independent_}, {{layer}}, wanted, {});
  if (wanted.ranks) table.ranks = ranks(layer);
  return table;
}

LikenessTable LikenessTables::of_sentence(const Trace& trace, const LikenessWanted& wanted, const Progress& progress) {
  std::vector<LayerOnSentences> layers;
  for (LayerTrace<float>& layer : whole_layers(trace, pool_, progress)) layers.push_back({std::move(layer)});
  LikenessTable table = table_of({own_, own_independent_}, layers, wanted, progress);
  table.places = head_places(layers);
  return table;
}

LikenessTable LikenessTables::pooled_table(const Document& document, const std::vector<int>& layers,
                                           const MarkedSentences& marked, const LikenessWanted& wanted,
                                           const Progress& progress) {
  std::vector<LayerOnSentences> measured(layers.size());
  for (const std::shared_ptr<const Trace>& sentence : traces_.evaluate(document, marked, pool_, progress))
    for (std::size_t k = 0; k < layers.size(); ++k) measured[k].push_back(sentence->layer(layers[k]));
  LikenessTable table = table_of({pooled_, pooled_independent_}, measured, wanted, progress);
  for (const AnnotatedSentence& sentence : *marked) table.sentences.push_back(sentence.sentence);
  table.places = head_places(measured);
  return table;
}

LikenessTable LikenessTables::pooled(const Document& document, const Trace& trace, int layer,
                                     const MarkedSentences& marked, const LikenessWanted& wanted,
                                     const Progress& progress) {
  LikenessTable table = pooled_table(document, {layer}, marked, wanted, progress);
  table.places.clear();
  if (wanted.ranks) table.ranks = ranks(trace.layer(layer));
  return table;
}

LikenessTable LikenessTables::pooled(const Document& document, const MarkedSentences& marked,
                                     const LikenessWanted& wanted, const Progress& progress) {
  std::vector<int> layers(document.layers.size());
  std::iota(layers.begin(), layers.end(), 0);
  return pooled_table(document, layers, marked, wanted, progress);
}

std::string why_not_compared(Index heads, Index tokens) {
  const bool many = heads > kMostCompared;
  if (!many && heads * tokens * tokens <= kMostComparedCells) return {};
  if (many) return wording("document:likeness.many_heads", {{"heads", heads}, {"most", kMostCompared}});
  const auto most = static_cast<Index>(std::sqrt(static_cast<double>(kMostComparedCells / heads)));
  return wording("document:likeness.many_tokens", {{"heads", heads}, {"tokens", most}});
}

int steps_of_likeness(Index heads, const LikenessWanted& wanted) {
  Index matrices = 2;  // products and cosines of the patterns
  for (const LikenessEntry& entry : likenesses())
    if (entry.measure != Likeness::cosine)
      matrices += wanted.measures[static_cast<std::size_t>(entry.measure)] || entry.measure == wanted.ordered_by;
  return static_cast<int>(matrices * heads * (heads + 1) / 2);
}

}  // namespace hydra

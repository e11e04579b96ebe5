#include "core/document/sweep.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/roles.h"
#include "core/attention/config.h"
#include "core/document/edit.h"
#include "core/document/evaluate.h"

namespace hydra {

namespace {

// Means over the heads of the layer.
void measure_rows(const Trace& trace, SweepEntry& entry) {
  const LayerTrace<float>& layer = trace.layers.front();
  const SentenceTargets targets = sentence_targets(trace.tokens, {}, nullptr, layer.input.mask);
  const auto heads = static_cast<double>(layer.heads.size());
  for (const HeadTrace<float>& head : layer.heads) {
    const RoleMeasures measures = finish(pattern_sums(*head.attention, targets));
    entry.entropy_bits += measures.entropy_bits / heads;
    entry.entropy_fraction += measures.entropy_fraction / heads;
    entry.confidence += measures.confidence / heads;
  }
}

std::vector<double> shares_of(const LayerTrace<float>& layer) {
  std::vector<double> shares;
  double sum = 0;
  for (const HeadTrace<float>& head : layer.heads) {
    shares.push_back(head.contribution->cast<double>().squaredNorm());
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;  // 0 / 0: not a number
  return shares;
}

}  // namespace

std::vector<Index> usual_head_counts(Index d_model) {
  std::vector<Index> counts;
  for (Index heads = 1; heads <= std::min(d_model, kMaxHeads); heads *= 2)
    if (d_model % heads == 0) counts.push_back(heads);
  if (d_model <= kMaxHeads && counts.back() != d_model) counts.push_back(d_model);
  return counts;
}

std::vector<Index> checked_head_counts(std::vector<Index> counts, Index d_model) {
  for (const Index heads : counts) check_sizes(1, d_model, heads);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

Sweeps::Kept& Sweeps::evaluated(const Document& document, Index heads) {
  auto found = kept_.find(heads);
  if (found == kept_.end())
    found = kept_.emplace(heads, Kept{nullptr, LikenessMatrices(pool_), {}, {}, {}, {}, {}}).first;
  Kept& kept = found->second;
  kept.trace = evaluate(hydra::apply(document, SetHeads{heads}), kept.trace.get(), pool_);
  return kept;
}

SweepEntry Sweeps::entry(Kept& kept, Index wanted_head, const Mat<float>& one_head_output) {
  const LayerTrace<float>& layer = kept.trace->layers.front();
  const Index n = layer.input.n(), heads = layer.input.heads;
  SweepEntry entry;
  entry.heads = heads;
  entry.d_k = layer.input.d_k();
  entry.trace = kept.trace;
  measure_rows(*kept.trace, entry);

  kept.likeness.set({layer});
  entry.effective_heads = effective_heads(kept.likeness.pattern_gram());
  entry.mean_cosine = mean_pairwise(kept.likeness.matrix(Likeness::cosine));
  entry.mean_js_bits = mean_pairwise(kept.likeness.matrix(Likeness::js_bits));
  entry.shares = shares_of(layer);
  const double whole = one_head_output.cast<double>().norm();
  entry.output_change = (*layer.output - one_head_output).cast<double>().norm() / whole;

  entry.head = std::min(wanted_head, heads - 1);
  const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(entry.head)];
  if (kept.Q != head.Q || kept.K != head.K) kept.scores = product_spectrum(*head.Q, *head.K);
  if (kept.attention != head.attention) kept.pattern = matrix_spectrum(*head.attention);
  kept.Q = head.Q, kept.K = head.K, kept.attention = head.attention;
  entry.scores = kept.scores;
  entry.pattern = kept.pattern;
  entry.any_pattern = entry.d_k >= n;
  entry.sizes = sizes_of(layer.input.d_model(), heads, layer.input.own_kv_heads());
  entry.multiply_adds = multiply_adds_of(entry.sizes, static_cast<double>(n));
  return entry;
}

std::vector<SweepEntry> Sweeps::of(const Document& document, const std::vector<Index>& counts, Index head,
                                   const std::function<void(int)>& finished) {
  std::erase_if(kept_, [&](const auto& kept) {
    return kept.first != 1 && std::find(counts.begin(), counts.end(), kept.first) == counts.end();
  });
  const MatPtr<float> one_head = evaluated(document, 1).trace->layers.front().output;
  std::vector<SweepEntry> entries;
  for (const Index heads : counts) {
    entries.push_back(entry(evaluated(document, heads), head, *one_head));
    if (finished) finished(static_cast<int>(entries.size()));
  }
  return entries;
}

}  // namespace hydra

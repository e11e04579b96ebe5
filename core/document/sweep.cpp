#include "core/document/sweep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/analysis/roles.h"
#include "core/attention/config.h"
#include "core/document/edit.h"
#include "core/document/evaluate.h"
#include "core/linalg/same_bits.h"

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

std::vector<Index> usual_kv_head_counts(const Document& document, Index tokens) {
  const Layer& layer = document.layers.front();
  if (layer.split == Split::slice) return {};
  const Index each = layer.heads * tokens * tokens;
  std::set<Index, std::greater<>> counts{layer.heads, layer.own_kv_heads(), 1};
  for (const Index count : head_counts(layer.heads))
    if (static_cast<Index>(counts.size() + 1) * each <= kMostSweptCells) counts.insert(count);
  return {counts.begin(), counts.end()};
}

Sweeps::Kept& Sweeps::evaluated(const Document& document, Index count) {
  auto found = kept_.find(count);
  if (found == kept_.end())
    found = kept_.emplace(count, Kept{nullptr, LikenessMatrices(pool_), {}, {}, {}, {}, {}, {}}).first;
  Kept& kept = found->second;
  const Edit edit = swept_ == Swept::heads ? Edit(SetHeads{count}) : Edit(SetKvHeads{count});
  kept.trace = evaluate(hydra::apply(document, edit), kept.trace.get(), pool_);
  return kept;
}

void Sweeps::measure_ranks(Kept& kept, Index wanted_head, Split split, SweepEntry& entry) const {
  entry.head = std::min(wanted_head, entry.heads - 1);
  const HeadTrace<float>& head = kept.trace->layers.front().heads[static_cast<std::size_t>(entry.head)];
  if (kept.Q != head.Q || kept.K != head.K) kept.scores = product_spectrum(*head.Q, *head.K);
  if (kept.attention != head.attention) kept.pattern = matrix_spectrum(*head.attention);
  kept.Q = head.Q, kept.K = head.K, kept.attention = head.attention;
  entry.scores = kept.scores;
  entry.pattern = kept.pattern;
  const Mat<float>& X = *kept.trace->X;
  if (entry.d_k < X.rows()) return;
  MatPtr<float> read =
      split == Split::slice ? share(Mat<float>(X.middleCols(entry.head * entry.d_k, entry.d_k))) : kept.trace->X;
  if (!same_bits<float>(kept.read, read)) kept.input_rank = matrix_spectrum(*read).numerical_rank;
  kept.read = std::move(read);
  entry.input_rank = kept.input_rank;
  entry.any_pattern = entry.input_rank == X.rows();
}

SweepEntry Sweeps::entry(Kept& kept, Index head, const Mat<float>& reference, Split split) const {
  const LayerTrace<float>& layer = kept.trace->layers.front();
  const Index n = layer.input.n();
  SweepEntry entry;
  entry.heads = layer.input.heads;
  entry.kv_heads = layer.input.own_kv_heads();
  entry.d_k = layer.input.d_k();
  entry.trace = kept.trace;
  measure_rows(*kept.trace, entry);

  kept.likeness.set({layer});
  entry.effective_heads = effective_heads(kept.likeness.pattern_gram());
  entry.mean_cosine = mean_pairwise(kept.likeness.matrix(Likeness::cosine));
  entry.mean_js_bits = mean_pairwise(kept.likeness.matrix(Likeness::js_bits));
  entry.shares = shares_of(layer);
  const double whole = reference.cast<double>().norm();
  entry.output_change = (*layer.output - reference).cast<double>().norm() / whole;

  if (head >= 0) measure_ranks(kept, head, split, entry);
  entry.sizes = sizes_of(layer.input.d_model(), entry.heads, entry.kv_heads, split);
  entry.multiply_adds = multiply_adds_of(entry.sizes, static_cast<double>(n));
  return entry;
}

std::vector<SweepEntry> Sweeps::of(const Document& document, const std::vector<Index>& counts, Index head,
                                   const std::function<void(int)>& finished, const std::stop_token& stop) {
  const Index first = swept_ == Swept::heads ? 1 : document.layers.front().own_kv_heads();
  std::erase_if(kept_, [&](const auto& kept) {
    return kept.first != first && std::find(counts.begin(), counts.end(), kept.first) == counts.end();
  });
  const MatPtr<float> reference = evaluated(document, first).trace->layers.front().output;
  std::vector<SweepEntry> entries;
  for (const Index count : counts) {
    if (stop.stop_requested()) throw Stopped();
    entries.push_back(entry(evaluated(document, count), head, *reference, document.layers.front().split));
    if (finished) finished(static_cast<int>(entries.size()));
  }
  return entries;
}

}  // namespace hydra

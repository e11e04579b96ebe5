#include "core/measures/sweep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/analysis/roles/roles.h"
#include "core/analysis/shares.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/weights/config.h"
#include "core/work/progress.h"

namespace hydra {

namespace {

// Means over the heads of the layer.
void measure_rows(SweepEntry& entry) {
  const LayerTrace<float>& layer = entry.layer();
  const auto targets_of = [&](const Mask& mask) { return sentence_targets(entry.trace->tokens, {}, nullptr, mask); };
  const SentenceTargets targets = targets_of(layer.input.mask);
  const auto heads = static_cast<double>(layer.heads.size());
  for (Index h = 0; h < layer.input.heads; ++h) {
    const Mask& mask = layer.input.mask_of(h);
    const RoleMeasures measures =
        finish(pattern_sums(*attention_shares(layer, h), mask == layer.input.mask ? targets : targets_of(mask)));
    entry.entropy_bits += measures[head_number::entropy_bits] / heads;
    entry.entropy_fraction += measures[head_number::entropy_fraction] / heads;
    entry.confidence += measures[head_number::confidence] / heads;
  }
}

std::vector<double> shares_of(const LayerTrace<float>& layer) {
  std::vector<double> shares;
  double sum = 0;
  for (Index h = 0; h < layer.input.heads; ++h) {
    shares.push_back(contribution_once(layer, h)->cast<double>().squaredNorm());
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;  // 0 / 0: not a number
  return shares;
}

// Multiply-adds of the singular values of all measured patterns, about.
constexpr double kMostRankWork = 4e9;
constexpr Index kLeastMeasured = 3;

// Ascending, with the wanted one: all heads, or as many as can be measured in time, evenly chosen.
std::vector<Index> heads_to_measure(Index heads, Index n, Index wanted) {
  const double each = std::pow(static_cast<double>(n), 3);
  const Index most = std::max(kLeastMeasured, static_cast<Index>(kMostRankWork / each));
  std::set<Index> chosen{wanted};
  const Index count = std::min(heads, most);
  for (Index k = 0; k < count; ++k) chosen.insert(k * heads / count);
  return {chosen.begin(), chosen.end()};
}

RanksOverHeads ranks_over_heads(const std::vector<const Spectrum*>& spectra) {
  RanksOverHeads over;
  std::vector<double> ranks, effective;
  std::size_t places = 0;
  for (const Spectrum* spectrum : spectra) {
    ranks.push_back(static_cast<double>(spectrum->numerical_rank));
    effective.push_back(spectrum->effective_rank);
    places = std::max(places, spectrum->values.size());
  }
  over.rank = spread_of(std::move(ranks));
  over.effective_rank = spread_of(std::move(effective));
  for (std::size_t k = 0; k < places; ++k) {
    std::vector<double> values;
    for (const Spectrum* spectrum : spectra)
      if (k < spectrum->values.size() && spectrum->values.front() > 0)
        values.push_back(spectrum->values[k] / spectrum->values.front());
    const Spread spread = spread_of(std::move(values));
    if (spread.count == 0) break;  // no head has one above zero
    over.least.push_back(spread.least);
    over.median.push_back(spread.median);
    over.most.push_back(spread.most);
  }
  return over;
}

}  // namespace

std::vector<Index> usual_head_counts(Index width) {
  std::vector<Index> counts;
  for (Index heads = 1; heads <= std::min(width, kMaxHeads); heads *= 2)
    if (width % heads == 0) counts.push_back(heads);
  if (width <= kMaxHeads && counts.back() != width) counts.push_back(width);
  return counts;
}

std::vector<Index> checked_head_counts(std::vector<Index> counts, Index width, Index d_model) {
  for (const Index heads : counts) check_heads(heads, width, d_model);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::vector<Index> usual_kv_head_counts(const Layer& layer, Index tokens) {
  if (layer.split == Split::slice || !layer.kv_of.empty()) return {};
  const Index each = layer.heads * tokens * tokens;
  std::set<Index, std::greater<>> counts{layer.heads, layer.kv_heads(), 1};
  for (const Index count : head_counts(layer.heads))
    if (static_cast<Index>(counts.size() + 1) * each <= kMostSweptCells) counts.insert(count);
  return {counts.begin(), counts.end()};
}

Sweeps::Kept& Sweeps::evaluated(const Document& document, int layer, const Cut& cut, double most) {
  auto found = kept_.find(cut);
  if (found == kept_.end())
    found = kept_.emplace(cut, Kept{nullptr, LikenessMatrices(pool_), IndependentMeasures(pool_), {}, {}, -1}).first;
  Kept& kept = found->second;
  const Edit edit =
      swept_ == Swept::heads ? Edit(SetHeads{cut.count}, layer) : Edit(SetKvHeads{cut.count, cut.rescaled}, layer);
  Document swept = hydra::apply(document, edit);
  swept.layers.resize(static_cast<std::size_t>(layer) + 1, {});  // those after it are not looked at
  const Trace* previous = kept.trace.get();
  for (auto other = kept_.begin(); !previous && other != kept_.end(); ++other) previous = other->second.trace.get();
  kept.trace = evaluate(swept, previous, pool_, {.focus = layer, .most = most});
  return kept;
}

AnyPattern any_pattern(const LayerInput<float>& input, Index head, Index n, Index rank) {
  const LayerSettings& settings = input.settings;
  if (is_made_of_several(settings)) return AnyPattern::unknown;
  if (settings.sink != SinkKind::none) return AnyPattern::no;
  if (n < 2) return AnyPattern::yes;
  if (settings.soft_cap > 0 || settings.qk_norm) return AnyPattern::no;
  // What is added by offset is learned as well, and may give what queries and keys cannot.
  if (settings.offset_bias) return input.d_k() + 1 >= n && rank >= n ? AnyPattern::yes : AnyPattern::unknown;
  const Mask& mask = input.mask_of(head);
  const bool whole = !mask.may_hide();
  const bool causal = mask.kind == Mask::Kind::causal && mask.first == 0 && (mask.window == 0 || mask.window >= n);
  if (input.d_k() + 1 < n) return whole || causal ? AnyPattern::no : AnyPattern::unknown;
  if (rank >= n) return AnyPattern::yes;
  // Without a mask the scores less one key's have at most the rank of X, or of X with the row of b_Q; rotated by their
  // places equal words differ, and behind a mask fewer weights are asked for.
  const Index most = rank + (input.weights.b_Q ? 1 : 0);
  return whole && !settings.rotary && most < n ? AnyPattern::no : AnyPattern::unknown;
}

void Sweeps::measure_ranks(Kept& kept, Index wanted_head, SweepEntry& entry) const {
  entry.head = std::min(wanted_head, entry.heads - 1);
  const LayerTrace<float>& layer = entry.layer();
  const std::vector<Index> measured = heads_to_measure(entry.heads, layer.input.n(), entry.head);
  std::erase_if(kept.heads, [&](const auto& head) {
    return std::find(measured.begin(), measured.end(), head.first) == measured.end();
  });
  for (const Index h : measured) kept.heads[h];  // made by this thread: tasks only fill them
  parallel_for(pool_, static_cast<Index>(measured.size()), [&](Index k) {
    const Index h = measured[static_cast<std::size_t>(k)];
    const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
    Kept::Head& own = kept.heads.at(h);
    const Stamp QK = (Key("QK") << head.asking().stamp() << head.asked().stamp()).stamp();
    if (own.QK != QK) own.scores = product_spectrum(*head.asking(), *head.asked());
    if (own.attention != head.attention.stamp()) own.pattern = matrix_spectrum(*head.attention);
    own.QK = QK, own.attention = head.attention.stamp();
  });
  std::vector<const Spectrum*> scores, patterns;
  for (const auto& [h, head] : kept.heads) scores.push_back(&head.scores), patterns.push_back(&head.pattern);
  entry.scores = kept.heads.at(entry.head).scores;
  entry.pattern = kept.heads.at(entry.head).pattern;
  entry.scores_over_heads = ranks_over_heads(scores);
  entry.pattern_over_heads = ranks_over_heads(patterns);
  const Array<float>& X = layer.input.X;
  if (entry.d_k + 1 < X.rows()) {
    entry.any_pattern = any_pattern(layer.input, entry.head, X.rows(), -1);
    return;
  }
  const Array<float> read =
      layer.input.split == Split::slice ? X.columns(entry.head * entry.d_k, entry.d_k) : layer.input.X;
  if (kept.read != read.stamp()) kept.input_rank = matrix_spectrum(*read).numerical_rank;
  kept.read = read.stamp();
  entry.input_rank = kept.input_rank;
  entry.any_pattern = any_pattern(layer.input, entry.head, X.rows(), entry.input_rank);
}

SweepEntry Sweeps::entry(Kept& kept, int at, Index head, MatIn<float> reference) const {
  const LayerTrace<float>& layer = kept.trace->layer(at);
  const Index n = layer.input.n();
  SweepEntry entry;
  entry.heads = layer.input.heads;
  entry.kv_heads = layer.input.kv_heads();
  entry.d_k = layer.input.d_k();
  entry.trace = kept.trace;
  entry.at = at;
  measure_rows(entry);

  kept.likeness.set({layer});
  entry.effective_heads = effective_heads(kept.likeness.pattern_gram());
  entry.mean_cosine = mean_pairwise(kept.likeness.matrix(Likeness::cosine));
  entry.mean_js_bits = mean_pairwise(kept.likeness.matrix(Likeness::js_bits));
  if (independent_) entry.independent = kept.independent.of({layer}, true);
  entry.shares = shares_of(layer);
  const double whole = reference.cast<double>().norm();
  entry.output_change = (*layer.output - reference).cast<double>().norm() / whole;

  if (head >= 0) measure_ranks(kept, head, entry);
  entry.sizes = sizes_of(layer.input);
  entry.multiply_adds = multiply_adds_of(entry.sizes, static_cast<double>(n));
  return entry;
}

void Sweeps::let_go(SweepEntry& entry) {
  measured_(entry);
  auto rest = std::make_shared<Trace>();
  rest->tokens = entry.trace->tokens;
  rest->X = entry.trace->X;
  entry.trace = std::move(rest);
  kept_.clear();
}

std::vector<SweepEntry> Sweeps::of(const Document& document, int at, const std::vector<Index>& counts, Index head,
                                   const std::function<void(int)>& finished, const std::stop_token& stop) {
  const Layer& own = document.layer(at);
  const Cut first{swept_ == Swept::heads ? own.heads : own.kv_heads(), false};  // the document as it stands
  const std::vector<Cut> cuts = cuts_of(document.layer(at), counts);
  std::erase_if(kept_, [&](const auto& kept) {
    return kept.first != first && std::find(cuts.begin(), cuts.end(), kept.first) == cuts.end();
  });
  const double most = kMostKept / static_cast<double>(cuts.size());  // by each
  const Array<float> reference = evaluated(document, at, first, most).trace->layer(at).output;
  if (measured_) kept_.clear();
  std::vector<SweepEntry> entries;
  int done = 0;
  for (const Cut& cut : cuts) {
    Progress{stop}.check();
    entries.push_back(entry(evaluated(document, at, cut, most), at, head, *reference));
    entries.back().rescaled = cut.rescaled;
    if (measured_) let_go(entries.back());
    const bool last = &cut == &cuts.back() || (&cut)[1].count != cut.count;  // of its count
    if (last && finished) finished(++done);
  }
  return entries;
}

// A mean of keys and values is taken where there are to be fewer of them.
std::vector<Sweeps::Cut> Sweeps::cuts_of(const Layer& layer, const std::vector<Index>& counts) const {
  std::vector<Cut> cuts;
  for (const Index count : counts) {
    cuts.push_back({count, false});
    if (swept_ == Swept::kv_heads && count < layer.kv_heads()) cuts.push_back({count, true});
  }
  return cuts;
}

}  // namespace hydra

#include "app/measures/sweep.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/roles/ends.h"
#include "core/explain/withheld.h"

namespace hydra {

namespace {

constexpr double kOfPairSwept = 5;  // multiply-adds for a cell of attention of a pair of heads

void take_ends(const SweepEntry& last, SweepTable& table) {
  if (last.d_k != 1) return;
  const LayerTrace<float>& layer = last.layer();
  std::vector<double> at_ends;
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    const HeadTrace<float>& head = layer.heads[h];
    const Ends ends = ends_of(*head.asked(), *head.attention, layer.input.mask_of(static_cast<Index>(h)));
    at_ends.push_back(static_cast<double>(ends.at_end));
    table.queries = std::max(table.queries, ends.queries);
  }
  table.at_ends = spread_of(std::move(at_ends));
}

SweepTable with_ranges(Swept swept, const Document& document, int layer, std::vector<SweepEntry> entries) {
  SweepTable table;
  table.swept = swept;
  table.own_kv_heads = document.layer(layer).kv_heads();
  table.has_seeds = has_other_seeds(document.layer(layer));
  table.over_seeds = sweep_over_seeds(document, layer, entries, {}, -1, swept, 1, nullptr);
  take_ends(entries.back(), table);
  table.largest_weight = 0;
  for (const SweepEntry& entry : entries) {
    for (const HeadTrace<float>& head : entry.layer().heads)
      table.largest_weight = std::max(table.largest_weight, head.attention->cwiseAbs().maxCoeff());
    if (std::isfinite(entry.output_change)) table.largest_change = std::max(table.largest_change, entry.output_change);
  }
  table.entries = std::move(entries);
  return table;
}

template <Swept SWEPT>
Index heads_with(const Document& document, int layer, Index count) {
  return SWEPT == Swept::heads ? count : document.layer(layer).heads;
}

// Patterns, scores and contributions.
std::size_t bytes_of_entry(Index heads, Index n, Index d_model) {
  return static_cast<std::size_t>(heads * n * (2 * n + d_model)) * sizeof(float);
}

template <Swept SWEPT>
Index seeds_of(const Document& document, const Trace& trace, const SweepWanted& wanted) {
  return usual_seed_count(document, wanted.layer, wanted.counts, std::ssize(trace.tokens), SWEPT);
}

// Entries that have the document's own numbers are evaluated anew: what is withheld of those is so here.
template <Swept SWEPT>
void withhold_in(std::vector<SweepEntry>& entries, const Trace& shown) {
  for (SweepEntry& entry : entries) {
    if (SWEPT == Swept::heads && entry.heads != shown.layer(entry.at).input.heads) continue;
    std::vector<Cell> cells;
    for (const Cell& cell : shown.withheld)
      if (cell.site.layer <= entry.at && exists(*entry.trace, cell.site)) cells.push_back(cell);
    if (!cells.empty()) entry.trace = withhold(*entry.trace, cells);
  }
}

}  // namespace

// What the last frame wanted need not fit a layer that has just become another.
template <Swept SWEPT>
bool SweepMeasure<SWEPT>::is_there(const Moment& now, const Wanted& wanted) {
  if (wanted.counts.empty() || wanted.layer >= std::ssize(now.document.layers)) return false;
  const Layer& layer = now.document.layer(wanted.layer);
  if (SWEPT == Swept::kv_heads && (layer.split == Split::slice || !layer.kv_of.empty())) return false;
  const Index width = SWEPT == Swept::heads ? layer.concat_width(now.document.d_model) : layer.heads;
  return std::ranges::all_of(wanted.counts, [&](Index count) { return width % count == 0; });
}

template <Swept SWEPT>
double SweepMeasure<SWEPT>::cost(const Moment& now, const Wanted& wanted) {
  const auto n = static_cast<double>(now.trace->tokens.size()), d = static_cast<double>(now.document.d_model);
  double products = 0, pairs = 0;
  for (const Index count : wanted.counts) {
    const auto heads = static_cast<double>(heads_with<SWEPT>(now.document, wanted.layer, count));
    products += 4 * n * d * static_cast<double>(now.document.layer(wanted.layer).concat_width(now.document.d_model));
    pairs += kOfPairSwept * heads * heads * n * n;
  }
  return std::max(products, pairs);
}

template <Swept SWEPT>
std::size_t SweepMeasure<SWEPT>::bytes(const Result& result) {
  std::size_t bytes = 0;
  for (const SweepEntry& entry : result.entries) {
    const LayerInput<float>& layer = entry.layer().input;
    bytes += bytes_of_entry(layer.heads, layer.n(), layer.d_model());
  }
  return bytes;
}

template <Swept SWEPT>
bool SweepMeasure<SWEPT>::is_kept(const Key& key, const Moment& now, bool computing) {
  if (key.document != now.stamp && key.document != now.other) return false;
  if (!computing || !is_there(now, key.wanted)) return true;
  std::size_t bytes = 0;
  for (const Index count : key.wanted.counts)
    bytes += bytes_of_entry(heads_with<SWEPT>(now.document, key.wanted.layer, count), std::ssize(now.trace->tokens),
                            now.document.d_model);
  return bytes <= Measures::kMostAsideOfOne;
}

template <Swept SWEPT>
SweepTable SweepMeasure<SWEPT>::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  const auto& [layer, counts, head] = wanted;
  turn.begin(static_cast<int>(counts.size()));
  std::vector<SweepEntry> entries = turn.kept.sweeps.of(
      of.document, layer, counts, head, [&](int made) { turn.done = made; }, turn.stop);
  if (SWEPT == Swept::heads)
    learn::add_accuracy(of.document, layer, turn.kept.texts, entries, &turn.kept.pool, turn.stop);
  SweepTable table = with_ranges(SWEPT, of.document, layer, std::move(entries));
  withhold_in<SWEPT>(table.entries, *of.trace);
  table.asked = wanted;
  table.document = of.stamp;
  return table;
}

template <Swept SWEPT>
bool SweepSeedsMeasure<SWEPT>::is_there(const Moment& now, const Wanted& wanted) {
  if (!wanted.base || !wanted.base->has_seeds || wanted.base->document != now.stamp) return false;
  return SweepMeasure<SWEPT>::is_there(now, wanted.base->asked) &&
         seeds_of<SWEPT>(now.document, *now.trace, wanted.base->asked) > 1;
}

template <Swept SWEPT>
SweepTable SweepSeedsMeasure<SWEPT>::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  const auto& [layer, counts, head] = wanted.base->asked;
  const Index seeds = seeds_of<SWEPT>(of.document, *of.trace, wanted.base->asked);
  turn.begin(static_cast<int>(seeds) - 1);
  SweepTable table = *wanted.base;
  table.over_seeds = sweep_over_seeds(
      of.document, layer, table.entries, counts, head, SWEPT, seeds, &turn.kept.pool,
      [&](int swept) { turn.done = swept; }, turn.stop);
  return table;
}

template struct SweepMeasure<Swept::heads>;
template struct SweepMeasure<Swept::kv_heads>;
template struct SweepSeedsMeasure<Swept::heads>;
template struct SweepSeedsMeasure<Swept::kv_heads>;

}  // namespace hydra

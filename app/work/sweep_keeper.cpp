#include "app/work/sweep_keeper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/ends.h"

namespace hydra {

namespace {

// Multiply-adds, and cells of attention counted once for every pair of heads, beyond which nobody waits.
constexpr Index kLittleProducts = 20'000'000, kLittleCells = 4'000'000;

// That the entries of a sweep will have.
Index numbers_of(const SweepKeeper::Wanted& wanted) {
  Index numbers = 0;
  for (const Index count : wanted.counts) {
    const Index heads = wanted.swept == Swept::heads ? count : wanted.document.layer(wanted.layer).heads;
    numbers += heads * wanted.tokens * (2 * wanted.tokens + wanted.document.d_model);
  }
  return numbers;
}

bool is_little(const SweepKeeper::Wanted& wanted) {
  Index products = 0, cells = 0;
  for (const Index count : wanted.counts) {
    const Index heads = wanted.swept == Swept::heads ? count : wanted.document.layer(wanted.layer).heads;
    products += 4 * wanted.tokens * wanted.document.d_model *
                wanted.document.layer(wanted.layer).concat_width(wanted.document.d_model);
    cells += heads * heads * wanted.tokens * wanted.tokens;
  }
  return products <= kLittleProducts && cells <= kLittleCells;
}

void take_ends(const SweepEntry& last, SweepTable& table) {
  if (last.d_k != 1) return;
  const LayerTrace<float>& layer = last.layer();
  std::vector<double> at_ends;
  for (const HeadTrace<float>& head : layer.heads) {
    const Ends ends = ends_of(*head.asked(), *head.attention, layer.input.mask);
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

Index usual_seeds(const SweepKeeper::Wanted& wanted) {
  return usual_seed_count(wanted.document, wanted.layer, wanted.counts, wanted.tokens, wanted.swept);
}

}  // namespace

template <Swept SWEPT>
bool SweepKeeper::take(Sweep<SWEPT>& sweep, Table& shown) {
  bool news = sweep.table.poll([&](Table table) {
    shown = std::move(table);
    sweep.seeds.forget();
  });
  news |= sweep.seeds.poll([&](Table table) { shown = std::move(table); });
  if (news) shown_.failure = sweep.table.failure() + sweep.seeds.failure();
  return news;
}

template <Swept SWEPT>
bool SweepKeeper::update(Sweep<SWEPT>& sweep, Table& shown, const Wanted& wanted, std::chrono::milliseconds patience) {
  bool changed = take(sweep, shown);
  if (const Asked asked{wanted.version, wanted.layer, wanted.counts, wanted.head}; sweep.table.asked() != asked) {
    sweep.seeds.forget();  // they make way
    sweep.numbers = numbers_of(wanted);
    const auto made = [document = wanted.document, layer = wanted.layer, counts = wanted.counts,
                       head = wanted.head](const auto& turn) -> Table {
      const auto each = [&](int entries) { turn.done = entries; };
      std::vector<SweepEntry> entries = turn.kept.sweeps.of(document, layer, counts, head, each, turn.stop);
      if (SWEPT == Swept::heads)
        learn::add_accuracy(document, layer, turn.kept.texts, entries, &turn.kept.pool, turn.stop);
      return std::make_shared<const SweepTable>(with_ranges(SWEPT, document, layer, std::move(entries)));
    };
    sweep.table.ask(asked, made, is_little(wanted) ? patience : std::chrono::milliseconds(0));
    changed = take(sweep, shown) || changed;
  }
  const bool wants_seeds =
      !sweep.table.computing() && sweep.table.failure().empty() && shown && shown->has_seeds && !sweep.seeds.asked();
  if (wants_seeds && usual_seeds(wanted) > 1) {
    sweep.others = static_cast<int>(usual_seeds(wanted)) - 1;
    const auto over_seeds = [document = wanted.document, layer = wanted.layer, counts = wanted.counts,
                             head = wanted.head, count = usual_seeds(wanted), base = shown](const auto& turn) -> Table {
      auto table = std::make_shared<SweepTable>(*base);
      table->over_seeds = sweep_over_seeds(
          document, layer, base->entries, counts, head, SWEPT, count, &turn.kept.pool,
          [&](int seeds) { turn.done = seeds; }, turn.stop);
      return table;
    };
    sweep.seeds.ask({}, over_seeds, std::chrono::milliseconds(0));
  }
  shown_.progress = 1;
  if (sweep.table.computing())
    shown_.progress = static_cast<float>(sweep.table.done()) / static_cast<float>(wanted.counts.size());
  else if (sweep.seeds.computing())
    shown_.progress = static_cast<float>(sweep.seeds.done()) / static_cast<float>(sweep.others);
  return changed;
}

template <Swept SWEPT>
void SweepKeeper::leave(Sweep<SWEPT>& sweep, Table& shown, std::uint64_t version) {
  take(sweep, shown);
  if (!sweep.table.asked() || (sweep.table.asked()->version == version && sweep.numbers <= kept_away_)) return;
  sweep.table.let_go();
  sweep.seeds.let_go();
  shown = nullptr;
}

void SweepKeeper::leave(std::uint64_t version) {
  leave(heads_, shown_.table, version);
  leave(sharing_, shown_.sharing, version);
}

bool SweepKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  return wanted.swept == Swept::heads ? update(heads_, shown_.table, wanted, patience)
                                      : update(sharing_, shown_.sharing, wanted, patience);
}

}  // namespace hydra

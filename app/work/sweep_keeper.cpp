#include "app/work/sweep_keeper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/work/kept.h"
#include "core/analysis/ends.h"

namespace hydra {

namespace {

// Multiply-adds, and cells of attention counted once for every pair of heads, beyond which nobody waits.
constexpr Index kLittleProducts = 20'000'000, kLittleCells = 4'000'000;
// Numbers kept while nobody looks, in patterns, scores and contributions: 64 MB.
constexpr Index kNumbersKeptAway = 16'000'000;

Index numbers_of(const std::shared_ptr<const SweepTable>& table) {
  if (!table) return 0;
  Index numbers = 0;
  for (const SweepEntry& entry : table->entries) {
    const auto n = static_cast<Index>(entry.trace->tokens.size());
    numbers += entry.heads * n * (2 * n + entry.trace->X->cols());
  }
  return numbers;
}

bool is_little(const SweepKeeper::Wanted& wanted) {
  Index products = 0, cells = 0;
  for (const Index count : wanted.counts) {
    const Index heads = wanted.swept == Swept::heads ? count : wanted.document.layer(wanted.layer).heads;
    products += 4 * wanted.tokens * wanted.document.d_model * wanted.document.d_model;
    cells += heads * heads * wanted.tokens * wanted.tokens;
  }
  return products <= kLittleProducts && cells <= kLittleCells;
}

void take_ends(const SweepEntry& last, SweepTable& table) {
  if (last.d_k != 1) return;
  const LayerTrace<float>& layer = last.layer();
  std::vector<double> at_ends;
  for (const HeadTrace<float>& head : layer.heads) {
    const Ends ends = ends_of(*head.K, *head.attention, layer.input.mask);
    at_ends.push_back(static_cast<double>(ends.at_end));
    table.queries = std::max(table.queries, ends.queries);
  }
  table.at_ends = spread_of(std::move(at_ends));
}

SweepTable with_ranges(Swept swept, const Document& document, int layer, std::vector<SweepEntry> entries) {
  SweepTable table;
  table.swept = swept;
  table.own_kv_heads = document.layer(layer).own_kv_heads();
  table.has_seeds = has_other_seeds(document.layer(layer));
  table.over_seeds = sweep_over_seeds(document, layer, entries, {}, -1, swept, 1, nullptr);
  take_ends(entries.back(), table);
  table.largest_weight = 0;
  for (const SweepEntry& entry : entries) {
    for (const HeadTrace<float>& head : entry.layer().heads)
      table.largest_weight = std::max(table.largest_weight, head.attention->maxCoeff());
    if (std::isfinite(entry.output_change)) table.largest_change = std::max(table.largest_change, entry.output_change);
  }
  table.entries = std::move(entries);
  return table;
}

}  // namespace

// What the working thread keeps between requests.
struct SweepKeeper::Worker {
  explicit Worker(std::shared_ptr<std::atomic<int>> told) : done(std::move(told)) {}
  std::shared_ptr<std::atomic<int>> done;
  ThreadPool pool{half_of_the_machine()};
  Sweeps heads{&pool}, kv_heads{&pool, Swept::kv_heads};
};

std::shared_ptr<const SweepTable> SweepKeeper::made(Worker& worker, const Sweep& sweep) {
  *worker.done = 0;
  Sweeps& sweeps = sweep.swept == Swept::heads ? worker.heads : worker.kv_heads;
  try {
    return std::make_shared<const SweepTable>(
        with_ranges(sweep.swept, sweep.document, sweep.layer,
                    sweeps.of(
                        sweep.document, sweep.layer, sweep.counts, sweep.head,
                        [&](int entries) { *worker.done = entries; }, sweep.stop)));
  } catch (const Stopped&) {
    return nullptr;
  }
}

std::shared_ptr<const SweepTable> SweepKeeper::with_seeds(Worker& worker, const Sweep& sweep) {
  *worker.done = 0;
  const auto tokens = static_cast<Index>(sweep.base->entries.front().trace->tokens.size());
  try {
    auto table = std::make_shared<SweepTable>(*sweep.base);
    table->over_seeds = sweep_over_seeds(
        sweep.document, sweep.layer, sweep.base->entries, sweep.counts, sweep.head, sweep.swept,
        usual_seed_count(sweep.document, sweep.layer, sweep.counts, tokens, sweep.swept), &worker.pool,
        [&](int seeds) { *worker.done = seeds; }, sweep.stop);
    return table;
  } catch (const Stopped&) {
    return nullptr;
  }
}

SweepKeeper::SweepKeeper()
    : work_([kept = Kept<Worker>(), done = done_](const Request& request) mutable {
        if (!request) kept.let_go();
        if (!request) return std::shared_ptr<const SweepTable>();
        const auto table = [&](Worker& worker) {
          return request->base ? with_seeds(worker, *request) : made(worker, *request);
        };
        return kept.with(table, done);
      }) {}

bool SweepKeeper::take() {
  auto finished = work_.take();
  auto failure = work_.take_failure();
  if (failure) shown_.failure = std::move(*failure);
  if (!finished || !*finished) return failure.has_value();
  shown_.failure.clear();
  ((*finished)->swept == Swept::heads ? shown_.table : shown_.sharing) = std::move(*finished);
  return true;
}

// Whether what is wanted depends on anything else than what was asked for last; notes it.
bool SweepKeeper::is_new(const Wanted& wanted, bool busy) {
  const bool heads = wanted.swept == Swept::heads;
  std::optional<Asked>&own = asked_[heads ? 0 : 1], &other = asked_[heads ? 1 : 0];
  Asked asked{wanted.version, wanted.layer, wanted.counts, wanted.head};
  if (own == asked) return false;
  own = std::move(asked);
  in_work_ = wanted.counts.size();
  seeds_asked_[heads ? 0 : 1] = false;
  if (busy) seeds_asked_[heads ? 1 : 0] = false;  // what was under way may never be seen
  if (busy && !seeding_) other.reset();
  seeding_ = false;
  return true;
}

bool SweepKeeper::wants_seeds(const Wanted& wanted) {
  const std::size_t which = wanted.swept == Swept::heads ? 0 : 1;
  const std::shared_ptr<const SweepTable>& table = which == 0 ? shown_.table : shown_.sharing;
  if (work_.computing() || !table || !table->has_seeds || seeds_asked_[which]) return false;
  seeds_asked_[which] = seeding_ = true;
  return usual_seed_count(wanted.document, wanted.layer, wanted.counts, wanted.tokens, wanted.swept) > 1;
}

void SweepKeeper::leave(std::uint64_t version) {
  if (!std::exchange(left_, true)) {
    stop_.request_stop();
    seeds_.request_stop();
    const bool busy = work_.computing();
    take();
    if (busy) asked_ = {}, seeds_asked_ = {};
  } else {
    work_.take();  // of what was ended
  }
  if (!shown_.table && !shown_.sharing) return;
  const auto is_current = [&](const std::optional<Asked>& asked) { return !asked || asked->version == version; };
  const bool current = std::all_of(asked_.begin(), asked_.end(), is_current);
  if (current && numbers_of(shown_.table) + numbers_of(shown_.sharing) <= kNumbersKeptAway) return;
  asked_ = {}, seeds_asked_ = {};
  shown_ = {};
  work_.ask(std::nullopt, std::chrono::milliseconds(0));
}

bool SweepKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) try {
  if (std::exchange(left_, false)) stop_ = {};
  const bool busy = work_.computing();  // before what is finished is taken, so that nothing finishes between
  bool changed = take();
  if (is_new(wanted, busy)) {
    seeds_.request_stop();
    work_.ask(
        Sweep{wanted.document, wanted.layer, wanted.counts, wanted.head, wanted.swept, stop_.get_token(), nullptr},
        is_little(wanted) ? patience : std::chrono::milliseconds(0));
    changed = take() || changed;
  }
  if (wants_seeds(wanted)) {
    seeds_ = {};
    in_work_ = static_cast<std::size_t>(
        usual_seed_count(wanted.document, wanted.layer, wanted.counts, wanted.tokens, wanted.swept) - 1);
    work_.ask(Sweep{wanted.document, wanted.layer, wanted.counts, wanted.head, wanted.swept, seeds_.get_token(),
                    wanted.swept == Swept::heads ? shown_.table : shown_.sharing},
              std::chrono::milliseconds(0));
  }
  shown_.progress = work_.computing() ? static_cast<float>(*done_) / static_cast<float>(in_work_) : 1;
  return changed;
} catch (...) {
  asked_ = {}, seeds_asked_ = {};  // perhaps it was not asked for
  throw;
}

}  // namespace hydra

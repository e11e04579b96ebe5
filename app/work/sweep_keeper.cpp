#include "app/work/sweep_keeper.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

// Multiply-adds, and cells of attention counted once for every pair of heads, beyond which nobody waits.
constexpr Index kLittleProducts = 20'000'000, kLittleCells = 4'000'000;
// Cells of attention kept while nobody looks: 32 MB, and the scores as much again.
constexpr Index kCellsKeptAway = 8'000'000;

Index cells_of(const std::shared_ptr<const SweepTable>& table) {
  if (!table) return 0;
  Index cells = 0;
  for (const SweepEntry& entry : table->entries) {
    const auto n = static_cast<Index>(entry.trace->tokens.size());
    cells += entry.heads * n * n;
  }
  return cells;
}

bool is_little(const SweepKeeper::Wanted& wanted) {
  Index products = 0, cells = 0;
  for (const Index count : wanted.counts) {
    const Index heads = wanted.swept == Swept::heads ? count : wanted.document.layers.front().heads;
    products += 4 * wanted.tokens * wanted.document.d_model * wanted.document.d_model;
    cells += heads * heads * wanted.tokens * wanted.tokens;
  }
  return products <= kLittleProducts && cells <= kLittleCells;
}

std::vector<double> relative(const Spectrum& spectrum) {
  if (spectrum.values.empty() || !(spectrum.values.front() > 0)) return {};  // not a number neither
  std::vector<double> values = spectrum.values;
  for (double& value : values) value /= spectrum.values.front();
  return values;
}

SweepTable with_ranges(Swept swept, const Layer& layer, std::vector<SweepEntry> entries) {
  SweepTable table;
  table.swept = swept;
  table.own_kv_heads = layer.own_kv_heads();
  table.largest_weight = 0;
  for (const SweepEntry& entry : entries) {
    for (const HeadTrace<float>& head : entry.trace->layers.front().heads)
      table.largest_weight = std::max(table.largest_weight, head.attention->maxCoeff());
    table.scores.push_back(relative(entry.scores));
    table.pattern.push_back(relative(entry.pattern));
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
    return std::make_shared<const SweepTable>(with_ranges(
        sweep.swept, sweep.document.layers.front(),
        sweeps.of(
            sweep.document, sweep.counts, sweep.head, [&](int entries) { *worker.done = entries; }, sweep.stop)));
  } catch (const Stopped&) {
    return nullptr;
  }
}

SweepKeeper::SweepKeeper()
    : work_([worker = std::shared_ptr<Worker>(), done = done_](const Request& request) mutable {
        if (!request) worker.reset();
        if (request && !worker) worker = std::make_shared<Worker>(done);
        return request ? made(*worker, *request) : nullptr;
      }) {}

bool SweepKeeper::take() {
  auto finished = work_.take();
  if (!finished || !*finished) return false;
  ((*finished)->swept == Swept::heads ? shown_.table : shown_.sharing) = std::move(*finished);
  return true;
}

// Whether what is wanted depends on anything else than what was asked for last; notes it.
bool SweepKeeper::is_new(const Wanted& wanted, bool busy) {
  const bool heads = wanted.swept == Swept::heads;
  std::optional<Asked>&own = asked_[heads ? 0 : 1], &other = asked_[heads ? 1 : 0];
  Asked asked{wanted.version, wanted.counts, wanted.head};
  if (own == asked) return false;
  own = std::move(asked);
  in_work_ = wanted.counts.size();
  if (busy) other.reset();  // the newest result wins: what was under way may never be seen
  return true;
}

void SweepKeeper::leave() {
  if (std::exchange(left_, true)) return;
  stop_.request_stop();
  const bool busy = work_.computing();
  take();
  const bool much = cells_of(shown_.table) + cells_of(shown_.sharing) > kCellsKeptAway;
  if (busy || much) asked_ = {};
  if (!much) return;
  shown_ = {};
  work_.ask(std::nullopt, std::chrono::milliseconds(0));
}

bool SweepKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  if (std::exchange(left_, false)) stop_ = {};
  const bool busy = work_.computing();  // before what is finished is taken, so that nothing finishes between
  bool changed = take();
  if (is_new(wanted, busy)) {
    work_.ask(Sweep{wanted.document, wanted.counts, wanted.head, wanted.swept, stop_.get_token()},
              is_little(wanted) ? patience : std::chrono::milliseconds(0));
    changed = take() || changed;
  }
  shown_.progress = work_.computing() ? static_cast<float>(*done_) / static_cast<float>(in_work_) : 1;
  return changed;
}

}  // namespace hydra

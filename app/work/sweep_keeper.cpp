#include "app/work/sweep_keeper.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

// Multiply-adds, and cells of attention counted once for every pair of heads, beyond which nobody waits.
constexpr Index kLittleProducts = 20'000'000, kLittleCells = 4'000'000;

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
  for (const SweepEntry& entry : entries) {
    table.scores.push_back(relative(entry.scores));
    table.pattern.push_back(relative(entry.pattern));
    if (std::isfinite(entry.output_change)) table.largest_change = std::max(table.largest_change, entry.output_change);
  }
  table.entries = std::move(entries);
  return table;
}

}  // namespace

struct SweepKeeper::Sweeping {
  ThreadPool pool{half_of_the_machine()};
  Sweeps heads{&pool}, kv_heads{&pool, Swept::kv_heads};
};

SweepKeeper::SweepKeeper()
    : work_([sweeping = std::shared_ptr<Sweeping>(), done = done_](const Request& request) mutable {
        if (!sweeping) sweeping = std::make_shared<Sweeping>();
        *done = 0;
        Sweeps& sweeps = request.swept == Swept::heads ? sweeping->heads : sweeping->kv_heads;
        return std::make_shared<const SweepTable>(with_ranges(
            request.swept, request.document.layers.front(),
            sweeps.of(request.document, request.counts, request.head, [&](int entries) { *done = entries; })));
      }) {}

bool SweepKeeper::take() {
  auto finished = work_.take();
  if (!finished) return false;
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

bool SweepKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  const bool busy = work_.computing();  // before what is finished is taken, so that nothing finishes between
  bool changed = take();
  if (is_new(wanted, busy)) {
    work_.ask({wanted.document, wanted.counts, wanted.head, wanted.swept},
              is_little(wanted) ? patience : std::chrono::milliseconds(0));
    changed = take() || changed;
  }
  shown_.progress = work_.computing() ? static_cast<float>(*done_) / static_cast<float>(in_work_) : 1;
  return changed;
}

}  // namespace hydra

#include "app/work/role_keeper.h"

#include <algorithm>
#include <utility>

#include "core/document/slices.h"
#include "core/error.h"

namespace hydra {

namespace {

// More cells of attention than this are not waited for.
constexpr Index kLittleMeasuring = 200'000;
// Nor are other sentences of wider embeddings.
constexpr Index kNarrow = 128;

Index cells_of(const LayerInput<float>& layer) { return layer.heads * layer.n() * layer.n(); }

}  // namespace

RoleKeeper::RoleKeeper() { roles_.marked = all_marked_sentences(&roles_.skipped); }

RoleKeeper::Measure::Compute RoleKeeper::measuring(const Wanted& wanted) const {
  return [trace = wanted.trace, at = wanted.layer, document = wanted.document, pooled = wanted.pooled,
          marked = roles_.marked, known = known_](const Measure::Turn& turn) {
    learn::NamedRoles& tables = turn.kept.tables;
    const auto own = [&] { return tables.of_sentence(*trace, document, at, marked); };
    Answer answer;
    RoleTable table;
    try {
      table = pooled ? tables.pooled(document, at, marked) : own();
    } catch (const InputError& fault) {
      answer.fault = fault.what();
      table = own();
    }
    table.bounds = known->find(table.random);
    answer.table = std::make_shared<const RoleTable>(std::move(table));
    return answer;
  };
}

bool RoleKeeper::take() {
  const bool news = tables_.poll([this](Answer answer) {
    threshold_ = -1;
    roles_.table = std::move(answer.table);
    roles_.fault = std::move(answer.fault);
    if (!roles_.table->bounds && !add_known_bounds()) ask_bounds();
  });
  if (news) roles_.failure = tables_.failure();
  return news;
}

bool RoleKeeper::add_known_bounds() {
  auto bounds = known_->find(roles_.table->random);
  if (!bounds) return false;
  RoleTable table = *roles_.table;
  table.bounds = std::move(bounds);
  threshold_ = -1;
  roles_.table = std::make_shared<const RoleTable>(std::move(table));
  return true;
}

void RoleKeeper::ask_bounds() {
  AskedBounds wanted{roles_.table->random};
  if (!bounds_.computing()) bounds_.forget();  // they are asked for again, though they could not be had
  if (bounds_.asked() == wanted) return;
  bounds_.stop();
  const auto measure = [known = known_, random = wanted.random](const auto& turn) {
    pause(turn.stop);
    known->keep(random, bounds_of(random, nullptr, turn.stop));
    return true;
  };
  bounds_.ask(wanted, measure, std::chrono::milliseconds(0));
}

bool RoleKeeper::take_bounds() {
  if (!bounds_.poll([](bool) {})) return false;
  if (!bounds_.failure().empty()) roles_.failure = bounds_.failure();
  return !bounds_.failure().empty() || (roles_.table && !roles_.table->bounds && add_known_bounds());
}

void RoleKeeper::label(double threshold) {
  threshold_ = -1;  // until there are all
  roles_.labels = labels_of(*roles_.table, threshold);
  threshold_ = threshold;
}

bool RoleKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  bool changed = take();
  if (marked_.lock() != wanted.trace) roles_.marks = find_annotated(*roles_.marked, wanted.trace->tokens);
  marked_ = wanted.trace;
  const Asked asked{wanted.trace, wanted.layer, wanted.pooled ? std::optional(wanted.version) : std::nullopt};
  if (tables_.asked() != asked) {
    const bool little = cells_of(wanted.trace->layer(wanted.layer).input) <= kLittleMeasuring &&
                        (!wanted.pooled || wanted.trace->X->cols() <= kNarrow);
    tables_.ask(asked, measuring(wanted), little ? patience : std::chrono::milliseconds(0));
    changed = take() || changed;
  }
  changed = take_bounds() || changed;
  if (roles_.table && (changed || threshold_ != wanted.threshold)) {
    label(wanted.threshold);
    changed = true;
  }
  return changed;
}

}  // namespace hydra

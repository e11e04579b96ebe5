#include "app/work/stack_role_keeper.h"

#include "core/error.h"

namespace hydra {

namespace {

// Cells of attention of all heads, and heads over all marked sentences, that are waited for, and that an older request
// may go on with.
constexpr Index kLittleStack = 200'000;
constexpr Index kFewHeads = 32;

bool is_little(const RoleKeeper::Wanted& wanted) {
  Index heads = 0;
  for (const LayerTrace<float>& layer : wanted.trace->layers) heads += layer.input.heads;
  return heads * wanted.trace->X->rows() * wanted.trace->X->rows() <= kLittleStack &&
         (!wanted.pooled || heads <= kFewHeads);
}

}  // namespace

StackRoleKeeper::Measure::Compute StackRoleKeeper::measuring(const RoleKeeper::Wanted& wanted,
                                                             const MarkedSentences& marked) {
  return [trace = wanted.trace, document = wanted.document, pooled = wanted.pooled, marked](const Measure::Turn& turn) {
    learn::NamedRoles& tables = turn.kept.tables;
    Answer answer;
    try {
      if (pooled) answer.tables = tables.pooled(document, marked, turn.progress());
    } catch (const InputError& fault) {
      answer.fault = fault.what();
    }
    if (answer.tables.empty()) answer.tables = tables.of_sentence(*trace, document, marked, turn.progress());
    return answer;
  };
}

bool StackRoleKeeper::take() {
  if (!tables_.poll_into(answer_)) return false;
  roles_.failure = answer_.failure;
  roles_.fault = answer_.fault;
  if (roles_.layers.size() != answer_.tables.size()) ++roles_.version;  // those that stay may have nothing new
  roles_.layers.resize(answer_.tables.size());
  measured_.resize(answer_.tables.size());
  for (std::size_t k = 0; k < answer_.tables.size(); ++k)
    if (std::exchange(measured_[k], answer_.tables[k]) != answer_.tables[k]) roles_.layers[k] = {answer_.tables[k], {}};
  add_known_names();
  ask_names();
  return true;
}

bool StackRoleKeeper::add_known_names() {
  bool changed = false;
  roles_.unnamed = 0;
  for (StackRoles::OfLayer& layer : roles_.layers) {
    if (layer.table->bounds) continue;
    if (auto bounds = known_->find(layer.table->random)) {
      auto named = std::make_shared<RoleTable>(*layer.table);
      named->bounds = std::move(bounds);
      layer = {std::move(named), {}};
      changed = true;
    } else {
      ++roles_.unnamed;
    }
  }
  return changed;
}

void StackRoleKeeper::ask_names() {
  if (names_.computing() && names_.asked() == answer_.tables) return;
  named_ = 0;
  names_.forget();
  if (roles_.unnamed == 0) return;
  const auto measure = [known = known_, tables = answer_.tables](const auto& turn) {
    pause(turn.stop);
    for (const std::shared_ptr<const RoleTable>& table : tables) {
      if (!known->find(table->random)) known->keep(table->random, bounds_of(table->random, &turn.kept.pool, turn.stop));
      turn.progress().step();
    }
    return true;
  };
  names_.ask(answer_.tables, measure, std::chrono::milliseconds(0));
}

bool StackRoleKeeper::take_names() {
  const bool over = names_.poll([](bool) {});
  if (over && !names_.failure().empty()) roles_.failure = names_.failure();
  if (roles_.unnamed == 0 || (!over && named_ == names_.done())) return over;
  named_ = names_.done();
  return add_known_names() || over;
}

bool StackRoleKeeper::label(double threshold) {
  bool changed = false;
  for (StackRoles::OfLayer& layer : roles_.layers) {
    if (threshold == threshold_ && layer.labels.size() == layer.table->heads.size()) continue;
    layer.labels = labels_of(*layer.table, threshold);
    changed = true;
  }
  threshold_ = threshold;
  return changed;
}

bool StackRoleKeeper::update(const RoleKeeper::Wanted& wanted, const MarkedSentences& marked,
                             std::chrono::milliseconds patience) {
  bool changed = take();
  const Asked asked{wanted.trace, wanted.pooled ? std::optional(wanted.version) : std::nullopt};
  if (tables_.asked() != asked && !wanted.trace->older_from) {  // what is older is not worth measuring
    const bool little = is_little(wanted);
    if (!little) tables_.stop();
    tables_.ask(asked, measuring(wanted, marked), little ? patience : std::chrono::milliseconds(0));
    changed = take() || changed;
  }
  changed = take_names() || changed;
  const int layers = static_cast<int>(wanted.trace->layers.size());
  const int steps = layers + (wanted.pooled ? static_cast<int>(marked->size()) : 0);
  const float progress =
      tables_.computing() ? std::min(1.0f, static_cast<float>(tables_.done()) / static_cast<float>(steps)) : 1;
  changed = std::exchange(roles_.progress, progress) != progress || changed;
  if (label(wanted.threshold)) {
    ++roles_.version;
    changed = true;
  }
  return changed;
}

void StackRoleKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  if (!tables_.asked()) return;
  const bool current = tables_.asked()->trace == trace;
  tables_.leave(
      answer_, [&](const Asked&) { return current; }, true);
  if (current) return;
  names_.forget();
  measured_.clear();
  const std::uint64_t version = roles_.version + 1;
  roles_ = {};
  roles_.version = version;
}

}  // namespace hydra

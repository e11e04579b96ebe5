#include "app/measures/roles.h"

#include "core/document/known_bounds.h"
#include "core/error.h"

namespace hydra {

namespace {

// More cells of attention than this are not waited for, nor are other sentences of wider embeddings or of more heads;
// of a stack an older request does not go on with as much.
constexpr Index kLittleMeasuring = 200'000, kNarrow = 128, kFewHeads = 32;

// The table with these bounds.
std::shared_ptr<const RoleTable> with(std::shared_ptr<const RoleTable> table, std::optional<NameBounds> bounds) {
  if (!bounds) return table;
  auto named = std::make_shared<RoleTable>(*table);
  named->bounds = std::move(bounds);
  return named;
}

std::shared_ptr<const RoleTable> with_known(std::shared_ptr<const RoleTable> table, const KnownBounds& known) {
  return table->bounds ? std::move(table) : with(table, known.find(table->random));
}

std::shared_ptr<const RoleTable> with_measured(const std::shared_ptr<const RoleTable>& table, KnownBounds& known,
                                               ThreadPool* pool, const std::stop_token& stop) {
  const NameBounds bounds = bounds_of(table->random, pool, stop);
  known.keep(table->random, bounds);
  return with(table, bounds);
}

}  // namespace

bool RolesMeasure::is_little(const Moment& now, const Wanted& wanted) {
  const LayerInput<float>& layer = now.trace->layer(wanted.layer).input;
  return layer.heads * layer.n() * layer.n() <= kLittleMeasuring && (!wanted.pooled || now.trace->X->cols() <= kNarrow);
}

RolesMeasure::Result RolesMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                           const MeasureTurn<RolesMeasure>& turn) {
  learn::NamedRoles& tables = turn.kept.tables;
  Result result;
  const auto take = [&](RoleTable table) { result.table = std::make_shared<const RoleTable>(std::move(table)); };
  try {
    if (wanted.pooled) take(tables.pooled(of.document, wanted.layer, of.marked));
  } catch (const InputError& fault) {
    result.fault = fault.what();
  }
  if (!result.table) take(tables.of_sentence(*of.trace, of.document, wanted.layer, of.marked));
  result.table = with_known(std::move(result.table), *of.bounds);
  if (result.table->bounds) return result;
  turn.publish(result, true);
  pause(turn.stop);
  result.table =
      with_measured(result.table, *of.bounds, nullptr, turn.stop);  // the frames have the rest of the machine
  return result;
}

bool StackRolesMeasure::is_little(const Moment& now, const Wanted& wanted) {
  Index heads = 0;
  for (const LayerTrace<float>& layer : now.trace->layers) heads += layer.input.heads;
  const Index n = now.trace->X->rows();
  return heads * n * n <= kLittleMeasuring && (!wanted.pooled || heads <= kFewHeads);
}

StackRolesMeasure::Result StackRolesMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                                     const MeasureTurn<StackRolesMeasure>& turn) {
  learn::NamedRoles& tables = turn.kept.tables;
  const auto layers = static_cast<int>(of.trace->layers.size());
  const Progress progress = turn.begin(layers + (wanted.pooled ? static_cast<int>(of.marked->size()) : 0));
  Result result;
  try {
    if (wanted.pooled) result.tables = tables.pooled(of.document, of.marked, progress);
  } catch (const InputError& fault) {
    result.fault = fault.what();
  }
  if (result.tables.empty()) result.tables = tables.of_sentence(*of.trace, of.document, of.marked, progress);
  bool first = true;
  for (std::shared_ptr<const RoleTable>& table : result.tables) table = with_known(std::move(table), *of.bounds);
  for (std::shared_ptr<const RoleTable>& table : result.tables) {
    if (table->bounds) continue;
    turn.begin(0);
    turn.publish(result, true);
    if (std::exchange(first, false)) pause(turn.stop);
    table = with_known(std::move(table), *of.bounds);  // of a layer before it with the same random heads
    if (!table->bounds) table = with_measured(table, *of.bounds, &turn.kept.pool, turn.stop);
  }
  return result;
}

}  // namespace hydra

#include "app/measures/roles.h"

#include "core/error.h"
#include "core/measures/known_bounds.h"

namespace hydra {

namespace {

constexpr double kOfCell = 100;       // multiply-adds for a cell of attention
constexpr double kPooledWords = 600;  // of all marked sentences

bool is_pooled(const RolesText& text) { return text.over != RolesOver::sentence; }

double cost_of_layer(const Moment& now, const LayerInput<float>& layer, bool pooled) {
  const auto cells = static_cast<double>(layer.heads * layer.n() * layer.n());
  const auto products = static_cast<double>(layer.d_model() * layer.concat_width());
  return kOfCell * cells + (pooled && !now.marked->empty() ? 2 * kPooledWords * products : 0);
}

std::size_t bytes_of(const RoleTable& table) {
  std::size_t bytes = table.heads.size() * (sizeof(RoleMeasures) + sizeof(RoleIntervals));
  if (table.named) bytes += bytes_of(*table.named);
  return bytes;
}

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

MarkedSentences MeasureOfRoles::Kept::set_of(const MeasuredOf& of, const RolesText& text) {
  if (text.over == RolesOver::shipped) return of.marked;
  if (text.over == RolesOver::folder) return text.folder;
  if (!own || marks != of.document.marks) own = sentences_of(of.document.marks), marks = of.document.marks;
  if (own->empty())
    throw InputError("nothing is marked in this document; mark pairs of words in Heads, and measure them here");
  return own;
}

MarkedSentences MeasureOfRoles::Kept::here_of(const MeasuredOf& of, const RolesText& text) {
  if (!text.folder) return of.marked;
  if (folder != text.folder) {
    auto all = std::make_shared<std::vector<AnnotatedSentence>>(*of.marked);
    all->insert(all->end(), text.folder->begin(), text.folder->end());
    folder = text.folder, with_folder = std::move(all);
  }
  return with_folder;
}

double RolesMeasure::cost(const Moment& now, const Wanted& wanted) {
  return cost_of_layer(now, now.trace->layer(wanted.layer).input, is_pooled(wanted.text));
}

std::size_t RolesMeasure::bytes(const Result& result) { return result.table ? bytes_of(*result.table) : 0; }

RolesMeasure::Result RolesMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                           const MeasureTurn<RolesMeasure>& turn) {
  learn::NamedRoles& tables = turn.kept.tables;
  const Progress progress = turn.progress();
  Result result;
  const auto take = [&](RoleTable table) { result.table = std::make_shared<const RoleTable>(std::move(table)); };
  try {
    if (wanted.text.over == RolesOver::known)
      take(tables.pooled(of.document, wanted.layer, of.marked, progress));
    else if (is_pooled(wanted.text))
      take(tables.over(of.document, wanted.layer, turn.kept.set_of(of, wanted.text), of.marked, progress));
  } catch (const InputError& fault) {
    result.fault = fault.what();
  }
  if (!result.table)
    take(tables.of_sentence(*of.trace, of.document, wanted.layer, turn.kept.here_of(of, wanted.text), progress));
  result.table = with_known(std::move(result.table), *of.bounds);
  if (result.table->bounds) return result;
  turn.publish(result, true);
  pause(turn.stop);
  result.table =
      with_measured(result.table, *of.bounds, nullptr, turn.stop);  // the frames have the rest of the machine
  return result;
}

double StackRolesMeasure::cost(const Moment& now, const Wanted& wanted) {
  double cost = 0;
  for (const LayerTrace<float>& layer : now.trace->layers)
    cost += cost_of_layer(now, layer.input, is_pooled(wanted.text));
  return cost;
}

std::size_t StackRolesMeasure::bytes(const Result& result) {
  std::size_t bytes = 0;
  for (const auto& table : result.tables) bytes += table ? bytes_of(*table) : 0;
  return bytes;
}

StackRolesMeasure::Result StackRolesMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                                     const MeasureTurn<StackRolesMeasure>& turn) {
  learn::NamedRoles& tables = turn.kept.tables;
  const auto layers = static_cast<int>(of.trace->layers.size());
  const Progress progress = turn.begin(layers + (is_pooled(wanted.text) ? static_cast<int>(of.marked->size()) : 0));
  Result result;
  try {
    if (wanted.text.over == RolesOver::known)
      result.tables = tables.pooled(of.document, of.marked, progress);
    else if (is_pooled(wanted.text))
      result.tables = tables.over(of.document, turn.kept.set_of(of, wanted.text), of.marked, progress);
  } catch (const InputError& fault) {
    result.fault = fault.what();
  }
  if (result.tables.empty())
    result.tables = tables.of_sentence(*of.trace, of.document, turn.kept.here_of(of, wanted.text), progress);
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

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

// What is said of a head whose name must wait, or cannot be had.
void add_unnamed(const RoleTable& table, HeadLabel& label) {
  label.name = label.brief = label.wider = table.bounds ? "unnamed" : "measuring";
  label.full = table.bounds ? "unnamed: random layers of this size take too long to compare it with"
                            : "being measured beside random heads";
}

HeadLabel label_of_head(const RoleTable& table, int head, double threshold) {
  const RoleMeasures& measures = table.heads[static_cast<std::size_t>(head)];
  HeadLabel label;
  label.removal = removal_sentence(measures.removal);
  label.removal_brief = removal_brief(measures.removal);
  label.bold = bold_sentence(table, head);
  if (!table.bounds || table.bounds->layers == 0) {
    add_unnamed(table, label);
    return label;
  }
  label.role = role_of(measures, *table.bounds, threshold);
  label.name = role_brief(label.role);
  label.brief = short_label(label.role);
  label.full = label_with_interval(label.role, table, head);
  label.wider = scored_name_with_interval(label.role, table, head);
  label.evidence = evidence_sentence(measures, *table.bounds, label.role);
  const int nearest = nearest_claim(measures, *table.bounds);
  if (label.role.kind == Role::Kind::mixed && table.sentences.empty() && nearest >= 0)
    label.full = label.wider += ": " + short_label(claims_of(measures)[static_cast<std::size_t>(nearest)]);
  return label;
}

}  // namespace

RoleKeeper::RoleKeeper() { roles_.marked = all_marked_sentences(&roles_.skipped); }

RoleKeeper::Measure::Compute RoleKeeper::measuring(const Wanted& wanted) const {
  return [trace = wanted.trace, at = wanted.layer, document = wanted.document, pooled = wanted.pooled,
          marked = roles_.marked, known = known_](const Measure::Turn& turn) {
    RoleTables& tables = turn.kept.tables;
    const auto own = [&] { return tables.of_sentence(*trace, at, marked, document.layer(at).source); };
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
    // Whoever drags a number that they depend on asks again and again.
    constexpr int kPauses = 15;
    for (int pause = 0; pause < kPauses && !turn.stop.stop_requested(); ++pause)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
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
  roles_.labels.clear();
  for (int h = 0; h < static_cast<int>(roles_.table->heads.size()); ++h)
    roles_.labels.push_back(label_of_head(*roles_.table, h, threshold));
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

#include "app/work/role_keeper.h"

#include <algorithm>
#include <utility>

#include "app/work/kept.h"
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
  label.brief = label.wider = table.bounds ? "unnamed" : "measuring";
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
  label.brief = short_label(label.role);
  label.full = label_with_interval(label.role, table, head);
  label.wider = label.full.substr(0, label.full.rfind(" on "));
  label.evidence = evidence_sentence(measures, *table.bounds, label.role);
  const int nearest = nearest_claim(measures, *table.bounds);
  if (label.role.kind == Role::Kind::mixed && table.sentences.empty() && nearest >= 0)
    label.full = label.wider += ": " + short_label(claims_of(measures)[static_cast<std::size_t>(nearest)]);
  return label;
}

}  // namespace

struct RoleKeeper::Measuring {
  ThreadPool pool{half_of_the_machine()};
  RoleTables tables{&pool};

  RoleTable own(const Request& request) {
    return tables.of_sentence(*request.trace, request.layer, request.marked,
                              request.document.layer(request.layer).source);
  }

  Answer measure(const Request& request, const KnownBounds& known) {
    Answer answer;
    RoleTable table;
    try {
      table = request.pooled ? tables.pooled(request.document, request.layer, request.marked) : own(request);
    } catch (const InputError& fault) {
      answer.fault = fault.what();
      table = own(request);
    }
    table.bounds = known.find(table.random);
    answer.table = std::make_shared<const RoleTable>(std::move(table));
    return answer;
  }
};

RoleKeeper::RoleKeeper()
    : tables_([kept = Kept<Measuring>(), known = known_](const Request& request) mutable {
        return kept.with([&](Measuring& measuring) { return measuring.measure(request, *known); });
      }),
      bounds_([known = known_](const BoundsRequest& request) {
        // Whoever drags a number that they depend on asks again and again.
        constexpr int kPauses = 15;
        for (int pause = 0; pause < kPauses && !request.stop.stop_requested(); ++pause)
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        try {
          known->keep(request.random, bounds_of(request.random, nullptr, request.stop));
        } catch (const Stopped&) {
          return false;
        }
        return true;
      }) {
  roles_.marked = all_marked_sentences(&roles_.skipped);
}

RoleKeeper::~RoleKeeper() { stop_.request_stop(); }

void RoleKeeper::on_finished(std::function<void()> wake) {
  tables_.on_finished(wake);
  bounds_.on_finished(std::move(wake));
}

bool RoleKeeper::take() {
  auto answer = tables_.take();
  auto failure = tables_.take_failure();
  if (failure) roles_.failure = std::move(*failure);
  if (!answer) return failure.has_value();
  roles_.failure.clear();
  threshold_ = -1;
  roles_.table = std::move(answer->table);
  roles_.fault = std::move(answer->fault);
  if (!roles_.table->bounds && !add_known_bounds()) ask_bounds();
  return true;
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
  if (bounds_.computing() && same_random_input(wanted_bounds_, roles_.table->random)) return;
  stop_.request_stop();
  stop_ = {};
  wanted_bounds_ = roles_.table->random;
  bounds_.ask({wanted_bounds_, stop_.get_token()}, std::chrono::milliseconds(0));
}

bool RoleKeeper::take_bounds() {
  if (auto failure = bounds_.take_failure()) {
    roles_.failure = std::move(*failure);
    return true;
  }
  return bounds_.take() && roles_.table && !roles_.table->bounds && add_known_bounds();
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
  const auto version = wanted.pooled ? std::optional(wanted.version) : std::nullopt;
  if (trace_ != wanted.trace) roles_.marks = find_annotated(*roles_.marked, wanted.trace->tokens);
  if (trace_ != wanted.trace || layer_ != wanted.layer || version_ != version || pooled_ != wanted.pooled) {
    trace_ = wanted.trace;
    layer_ = wanted.layer;
    version_ = version;
    pooled_ = wanted.pooled;
    const bool little =
        cells_of(trace_->layer(layer_).input) <= kLittleMeasuring && (!wanted.pooled || trace_->X->cols() <= kNarrow);
    try {
      tables_.ask({trace_, layer_, wanted.document, wanted.pooled, roles_.marked},
                  little ? patience : std::chrono::milliseconds(0));
    } catch (...) {
      trace_.reset();  // it was not asked for
      throw;
    }
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

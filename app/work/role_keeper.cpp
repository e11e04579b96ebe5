#include "app/work/role_keeper.h"

#include <algorithm>

#include "core/error.h"

namespace hydra {

namespace {

// More cells of attention than this are not waited for.
constexpr Index kLittleWork = 200'000;

Index cells_of(const Trace& trace) {
  const LayerInput<float>& layer = trace.layers.front().input;
  return layer.heads * layer.n() * layer.n();
}

}  // namespace

struct RoleKeeper::Measuring {
  ThreadPool pool{half_of_the_machine()};
  RoleTables tables{&pool};

  Answer measure(const Request& request) {
    Answer answer;
    try {
      if (request.pooled)
        answer.table = std::make_shared<const RoleTable>(tables.pooled(*request.pooled, request.marked));
    } catch (const InputError& fault) {
      answer.fault = fault.what();
    }
    if (!answer.table)
      answer.table = std::make_shared<const RoleTable>(tables.of_sentence(*request.trace, request.marked));
    return answer;
  }
};

RoleKeeper::RoleKeeper()
    : work_([measuring = std::shared_ptr<Measuring>()](const Request& request) mutable {
        if (!measuring) measuring = std::make_shared<Measuring>();
        return measuring->measure(request);
      }) {
  roles_.marked = all_marked_sentences(&roles_.skipped);
}

bool RoleKeeper::take() {
  auto answer = work_.take();
  if (!answer) return false;
  roles_.table = std::move(answer->table);
  roles_.fault = std::move(answer->fault);
  return true;
}

void RoleKeeper::label(double threshold) {
  threshold_ = threshold;
  roles_.labels.clear();
  for (const RoleMeasures& head : roles_.table->heads) {
    const Role role = role_of(head, roles_.table->chance, threshold);
    roles_.labels.push_back({role, short_label(role), long_label(role), removal_sentence(head.removal)});
  }
}

bool RoleKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  bool changed = take();
  const auto version = wanted.pooled ? std::optional(wanted.version) : std::nullopt;
  if (trace_ != wanted.trace) roles_.marks = find_annotated(*roles_.marked, wanted.trace->tokens);
  if (trace_ != wanted.trace || version_ != version) {
    trace_ = wanted.trace;
    version_ = version;
    const bool little = cells_of(*trace_) <= kLittleWork;
    work_.ask({trace_, wanted.pooled ? std::optional(wanted.document) : std::nullopt, roles_.marked},
              little ? patience : std::chrono::milliseconds(0));
    changed = take() || changed;
  }
  if (roles_.table && (changed || threshold_ != wanted.threshold)) {
    label(wanted.threshold);
    changed = true;
  }
  return changed;
}

}  // namespace hydra

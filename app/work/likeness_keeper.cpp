#include "app/work/likeness_keeper.h"

#include <algorithm>
#include <utility>

#include "app/work/kept.h"
#include "core/error.h"

namespace hydra {

namespace {

// More cells of attention than this, counted once for every pair of heads, are not waited for.
constexpr Index kLittleWork = 2'000'000;

Index work_of(const LayerInput<float>& layer) { return layer.heads * layer.heads * layer.n() * layer.n(); }

bool same(const LikenessWanted& a, const LikenessWanted& b) {
  return a.measures == b.measures && a.ordered_by == b.ordered_by && a.ranks == b.ranks;
}

}  // namespace

struct LikenessKeeper::Measuring {
  ThreadPool pool{half_of_the_machine()};
  LikenessTables tables{&pool};

  LikenessShown measure(const Request& request, std::atomic<int>& done) {
    LikenessShown answer;
    answer.trace = request.trace;
    answer.at = request.layer;
    try {
      if (request.pooled)
        answer.table = std::make_shared<const LikenessTable>(
            tables.pooled(*request.pooled, *request.trace, request.layer, request.marked, request.measures, &done));
    } catch (const InputError& fault) {
      answer.fault = fault.what();
    }
    if (!answer.table)
      answer.table = std::make_shared<const LikenessTable>(tables.of_sentence(answer.layer(), request.measures));
    return answer;
  }
};

LikenessKeeper::LikenessKeeper()
    : work_([kept = Kept<Measuring>(), done = done_](const std::optional<Request>& request) mutable {
        if (!request) kept.let_go();
        if (!request) return std::optional<LikenessShown>();
        *done = 0;
        return std::optional(kept.with([&](Measuring& measuring) { return measuring.measure(*request, *done); }));
      }) {}

bool LikenessKeeper::take() {
  auto finished = work_.take();
  if (finished && *finished) shown_ = std::move(**finished);
  auto failure = work_.take_failure();
  if (failure) shown_.failure = std::move(*failure);
  return finished || failure;
}

// Whether what is wanted depends on anything else than what was asked for last; notes it.
bool LikenessKeeper::is_new(const Wanted& wanted) {
  const auto version = wanted.pooled ? std::optional(wanted.version) : std::nullopt;
  if (trace_ == wanted.trace && layer_ == wanted.layer && version_ == version && same(measures_, wanted.measures))
    return false;
  trace_ = wanted.trace;
  layer_ = wanted.layer;
  version_ = version;
  measures_ = wanted.measures;
  return true;
}

bool LikenessKeeper::update(const Wanted& wanted, std::chrono::milliseconds patience) {
  left_ = false;
  bool changed = take();
  if (is_new(wanted)) {
    const bool little = !wanted.pooled && work_of(trace_->layer(layer_).input) <= kLittleWork;
    try {
      work_.ask(Request{trace_, layer_, wanted.pooled ? std::optional(wanted.document) : std::nullopt, measures_,
                        wanted.marked},
                little ? patience : std::chrono::milliseconds(0));
    } catch (...) {
      trace_.reset();  // it was not asked for
      throw;
    }
    changed = take() || changed;
  }
  const bool pooling = wanted.pooled && work_.computing() && !wanted.marked->empty();
  shown_.progress = pooling ? static_cast<float>(*done_) / static_cast<float>(wanted.marked->size()) : 1;
  return changed;
}

void LikenessKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  if (!std::exchange(left_, true)) {
    const bool busy = work_.computing();  // before what is finished is taken, so that nothing finishes between
    take();
    if (busy) trace_.reset();  // its table will not be shown
    work_.ask(std::nullopt, std::chrono::milliseconds(0));
  }
  if (shown_.trace == trace || !shown_.trace) return;
  shown_ = {};
  trace_.reset();
}

}  // namespace hydra

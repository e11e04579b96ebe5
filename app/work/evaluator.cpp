#include "app/work/evaluator.h"

#include <algorithm>

namespace hydra {

namespace {

TimedTrace timed(const Document& document, const Trace* previous, ThreadPool* pool, const Keeping& keeping) {
  const auto start = std::chrono::steady_clock::now();
  auto trace = evaluate(document, previous, pool, keeping);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return {std::move(trace), elapsed.count()};
}

// Multiply-adds that a machine of today makes within a moment: nobody has to see the window wait.
constexpr double kQuick = 2e9;
constexpr std::chrono::milliseconds kFirstPatience{100};

// What views may hold on to before there is a trace.
std::shared_ptr<const Trace> stand_in() {
  Document document = default_document();
  document.sentence = "word";
  return evaluate(document);
}

}  // namespace

// One document after the other on the worker's thread, sharing what they have in common.
struct Evaluator::Evaluation {
  std::shared_ptr<const Trace> latest;
  std::shared_ptr<ThreadPool> pool;

  TimedTrace operator()(const Request& request) {
    if (!pool) pool = std::make_shared<ThreadPool>(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    TimedTrace result = timed(request.document, latest.get(), pool.get(), request.keeping);
    latest = result.trace;
    return result;
  }
};

Evaluator::Evaluator(const Document& first) : work_(Evaluation()) {
  work_.ask({first, {.focus = 0}}, kFirstPatience);
  const auto n = static_cast<Index>(tokens_of(first).size());
  double work = 0;
  for (const Layer& layer : first.layers) work += multiply_adds(layer, first.d_model, n);
  if (work <= kQuick) work_.finish();
  poll();
  if (!ready_) now_.trace = stand_in();
}

bool Evaluator::submit(const Document& document, int focus, std::chrono::milliseconds patience) {
  failure_.clear();
  work_.ask({document, {focus, most_}}, patience);
  poll();
  return !computing();
}

bool Evaluator::poll() {
  auto finished = work_.take();
  if (finished) {
    now_ = std::move(*finished);
    ready_ = true;
  }
  auto failure = work_.take_failure();
  if (failure) failure_ = std::move(*failure);
  return finished || failure;
}

void Evaluator::finish() {
  work_.finish();
  poll();
}

}  // namespace hydra

#include "app/work/evaluator.h"

#include <algorithm>

#include "core/document/evaluate.h"

namespace hydra {

namespace {

TimedTrace timed(const Document& document, const Trace* previous, ThreadPool* pool) {
  const auto start = std::chrono::steady_clock::now();
  auto trace = evaluate(document, previous, pool);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return {std::move(trace), elapsed.count()};
}

// Evaluates one document after the other on the worker's thread, sharing what they have in common.
struct Evaluation {
  std::shared_ptr<const Trace> latest;
  std::shared_ptr<ThreadPool> pool;

  TimedTrace operator()(const Document& document) {
    if (!pool) pool = std::make_shared<ThreadPool>(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    TimedTrace result = timed(document, latest.get(), pool.get());
    latest = result.trace;
    return result;
  }
};

}  // namespace

Evaluator::Evaluator(const Document& first)
    : now_(timed(first, nullptr, nullptr)), work_(Evaluation{now_.trace, nullptr}) {}

bool Evaluator::submit(const Document& document, std::chrono::milliseconds patience) {
  work_.ask(document, patience);
  poll();
  return !computing();
}

bool Evaluator::poll() {
  auto finished = work_.take();
  if (finished) now_ = std::move(*finished);
  return finished.has_value();
}

void Evaluator::finish() {
  work_.finish();
  poll();
}

}  // namespace hydra

#include "app/work/evaluator.h"

#include <algorithm>

namespace hydra {

namespace {

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

struct Evaluator::Evaluation {
  std::shared_ptr<ThreadPool> pool;

  Answer operator()(const Request& request) {
    if (!pool) pool = std::make_shared<ThreadPool>(threads_of_the_machine());
    const auto start = std::chrono::steady_clock::now();
    const auto& [document, keeping, previous, number, part] = request;
    auto trace = part == Request::Part::beginning ? evaluate_beginning(document, nullptr, pool.get(), keeping)
                 : part == Request::Part::whole || !previous ? evaluate(document, previous.get(), pool.get(), keeping)
                                                             : evaluate_first(document, *previous, pool.get(), keeping);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    return {{std::move(trace), elapsed.count()}, number};
  }
};

Evaluator::Evaluator(const Document& first) : first_(Evaluation()), rest_(Evaluation()) {
  const auto n = static_cast<Index>(tokens_of(first).size());
  double work = 0;
  for (const Layer& layer : first.layers) work += work_of(layer, first.d_model, n);
  const bool deep = first.layers.size() > 1 && work > kQuick;
  asked_ = {first,
            {.focus = 0, .read_out = ReadOut::asked_rows},
            nullptr,
            0,
            deep ? Request::Part::beginning : Request::Part::whole};
  first_.ask(asked_, kFirstPatience);
  if (work <= kQuick) first_.finish();
  poll_first();
  if (!ready_) now_.trace = stand_in();
}

bool Evaluator::submit(const Document& document, int focus, std::chrono::milliseconds patience, ReadOut rows) {
  poll();
  failure_.clear();
  asked_ = {document, {focus, most_, rows}, nullptr, asked_.number + 1, Request::Part::to_focus};
  Request request = asked_;
  if (ready_) request.previous = now_.trace;
  first_.ask(std::move(request), patience);
  poll();
  return !computing();
}

// What comes is newer up to its focus; after that nothing is newer than what is there.
bool Evaluator::poll_first() {
  auto finished = first_.take();
  if (finished) {
    auto trace = std::move(finished->timed.trace);
    if (ready_) trace = with_later_layers(std::move(trace), *now_.trace);
    now_ = {std::move(trace), finished->timed.milliseconds};
    ready_ = true;
    first_number_ = finished->number;
    if (now_.trace->older_from && first_number_ == asked_.number)
      rest_.ask({asked_.document, asked_.keeping, now_.trace, asked_.number, Request::Part::whole},
                std::chrono::milliseconds(0));
  }
  auto failure = first_.take_failure();
  if (failure) failure_ = std::move(*failure);
  return finished || failure;
}

bool Evaluator::poll_rest() {
  auto finished = rest_.take();
  if (finished && finished->number == first_number_)
    now_ = {std::move(finished->timed.trace), now_.milliseconds + finished->timed.milliseconds};
  else if (finished)  // of an edit before the last one
    now_.trace = with_later_layers(now_.trace, *finished->timed.trace);
  auto failure = rest_.take_failure();
  if (failure && now_.trace->older_from) failure_ = std::move(*failure);
  return finished || failure;
}

bool Evaluator::poll() {
  const bool first = poll_first(), rest = poll_rest();
  return first || rest;
}

void Evaluator::finish() {
  first_.finish();
  poll_first();
  rest_.finish();
  poll_rest();
}

void Evaluator::on_finished(const std::function<void()>& wake) {
  first_.on_finished(wake);
  rest_.on_finished(wake);
}

}  // namespace hydra

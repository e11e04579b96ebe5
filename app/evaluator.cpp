#include "app/evaluator.h"

#include <algorithm>

#include "core/document/evaluate.h"

namespace hydra {

namespace {
double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

Evaluator::Evaluator(const Document& first) {
  const auto start = std::chrono::steady_clock::now();
  trace_ = evaluate(first);
  milliseconds_ = milliseconds_since(start);
  worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

Evaluator::~Evaluator() = default;

void Evaluator::work(const std::stop_token& stop) {
  ThreadPool pool(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  std::shared_ptr<const Trace> latest = trace_;
  std::unique_lock lock(mutex_);
  while (wanted_.wait(lock, stop, [&] { return request_.has_value(); })) {
    const Document document = std::move(*request_);
    request_.reset();
    busy_ = true;
    lock.unlock();
    const auto start = std::chrono::steady_clock::now();
    latest = evaluate(document, latest.get(), &pool);
    const double elapsed = milliseconds_since(start);
    lock.lock();
    finished_ = latest;
    finished_milliseconds_ = elapsed;
    busy_ = false;
    done_.notify_all();
    const std::function<void()> wake = wake_;
    if (wake) {
      lock.unlock();
      wake();
      lock.lock();
    }
  }
}

bool Evaluator::submit(const Document& document, std::chrono::milliseconds patience) {
  {
    std::unique_lock lock(mutex_);
    request_ = document;
    wanted_.notify_one();
    done_.wait_for(lock, patience, [&] { return !busy_ && !request_; });
  }
  poll();
  return !computing();
}

bool Evaluator::poll() {
  const std::lock_guard lock(mutex_);
  if (!finished_) return false;
  trace_ = std::move(finished_);
  finished_.reset();
  milliseconds_ = finished_milliseconds_;
  return true;
}

void Evaluator::finish() {
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return !busy_ && !request_; });
  }
  poll();
}

bool Evaluator::computing() const {
  const std::lock_guard lock(mutex_);
  return busy_ || request_.has_value();
}

void Evaluator::on_finished(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

}  // namespace hydra

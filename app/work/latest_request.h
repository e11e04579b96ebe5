// Work in the background. A worker thread computes; the caller waits for it a moment, so that whatever is quick is
// shown in the frame that asked for it, and whatever is slow never freezes the window. The newest request wins.
#pragma once
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/failure.h"
#include "core/work/parallel.h"
#include "core/work/worker.h"

namespace hydra {

// Threads for work in the background: the trace of the next edit has the other half of the machine.
inline int half_of_the_machine() { return std::max(1, threads_of_the_machine() / 2); }

// Thrown by work that has been left where it can be gone on with (linalg/turns.h): it is asked again with its request,
// unless something newer is asked for.
struct Unfinished {};

template <class Request, class Result>
class LatestRequest {
 public:
  // compute runs on the worker's thread, one call at a time. What it throws becomes a failure; nothing: there is no
  // other result than was published.
  explicit LatestRequest(std::function<std::optional<Result>(const Request&)> compute) : compute_(std::move(compute)) {}

  // Asks for a result, in the place of a request that nobody has begun with, and waits for it up to patience.
  void ask(Request request, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    worker_.post([this] { answer(); });       // which waits for the lock
    const bool rest_ends = busy_ && enough_;  // a rest gives way
    request_ = std::move(request);
    failure_.reset();
    worker_.wait(
        lock, done_, patience, [&] { return has_enough(); }, rest_ends);
  }
  // Waits until what is asked for is there, but for a rest that may wait (publish).
  void finish_enough() {
    std::unique_lock lock(mutex_);
    worker_.wait(lock, done_, [&] { return has_enough(); });
  }
  // Waits until nothing is asked for any more.
  void finish() {
    std::unique_lock lock(mutex_);
    worker_.wait(lock, done_, [&] { return !busy_ && !request_; });
  }
  // By a request under way, from any thread: what there is so far. enough: whoever waits need not wait for the
  // rest. False: something newer is asked for, and the rest of this is not wanted.
  bool publish(Result part, bool enough) {
    std::unique_lock lock(mutex_);
    if (request_) return false;
    finished_ = std::move(part);
    enough_ |= enough;
    if (enough) done_.notify_all();
    const std::function<void()> wake = wake_;
    lock.unlock();
    if (wake) wake();
    return true;
  }
  // The newest result that was not taken yet.
  std::optional<Result> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, std::nullopt);
  }
  // Why the newest request that was computed has no result (core/failure.h), told once.
  std::optional<std::string> take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, std::nullopt);
  }
  bool computing() const {
    const std::lock_guard lock(mutex_);
    return busy_ || request_.has_value();
  }
  // More than a rest that may wait.
  bool computing_much() const {
    const std::lock_guard lock(mutex_);
    return !has_enough();
  }
  // Called on the worker's thread when a result or a failure is there.
  void on_finished(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }

 private:
  bool has_enough() const { return !request_ && (!busy_ || enough_); }
  static std::string reason_if_possible(const std::exception_ptr& fault) {
    try {
      return reason_of(fault);
    } catch (const std::bad_alloc&) {
      return "no memory left";  // short: a string holds it in itself
    }
  }
  // On the worker's thread: the newest request, unless a task before this one has taken it.
  void answer() {
    std::unique_lock lock(mutex_);
    if (!request_) return;
    Request request = std::move(*request_);
    request_.reset();
    busy_ = true;
    enough_ = false;
    lock.unlock();
    std::optional<Result> result;
    std::optional<std::string> failure;
    try {
      result = compute_(request);
    } catch (const Unfinished&) {
      lock.lock();
      if (!request_) request_ = std::move(request);
      busy_ = false;
      worker_.post([this] { answer(); });
      return;
    } catch (...) {
      failure = reason_if_possible(std::current_exception());
    }
    lock.lock();
    if (result) finished_ = std::move(result);
    failure_ = std::move(failure);
    busy_ = false;
    done_.notify_all();
    const std::function<void()> wake = wake_;
    lock.unlock();
    if (wake) wake();
  }

  std::function<std::optional<Result>(const Request&)> compute_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable done_;
  std::optional<Request> request_;
  bool busy_ = false;
  bool enough_ = false;                 // of what is under way is there
  std::optional<Result> finished_;      // not yet taken
  std::optional<std::string> failure_;  // not yet taken
  std::function<void()> wake_;
  Worker worker_;  // last member: stops before the rest is gone
};

}  // namespace hydra

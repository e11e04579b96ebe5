// Work in the background that follows what it depends on: asked for again when its key is another, told to stop, let
// go. All keepers and tools are made of jobs.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/work/latest_request.h"
#include "core/work/priority.h"
#include "core/work/progress.h"
#include "core/work/turns.h"

namespace hydra {

// What is done in the background, whatever it is.
class BackgroundWork {
 public:
  virtual ~BackgroundWork() = default;
  virtual bool computing() const = 0;
  virtual void finish() = 0;  // waits; the next update takes the result over
  // Called on a worker's thread when there is something new.
  virtual void on_finished(std::function<void()> wake) = 0;
  virtual const std::string& failure() const = 0;  // why the newest could not be had; else empty
};

// A moment: whoever drags a number that long work depends on asks again and again. Ends when a stop is requested.
inline void pause(const std::stop_token& stop) {
  constexpr int kPauses = 15;
  for (int k = 0; k < kPauses && !stop.stop_requested(); ++k) rest_for(std::chrono::milliseconds(10));
}

struct Nothing {
  bool operator==(const Nothing&) const = default;
};

// A request's turn on the worker's thread. Kept: what the worker keeps from one request to the next.
template <class Kept>
struct JobTurn {
  Kept& kept;
  std::stop_token stop;    // requested: throw Stopped, or give what there is
  std::atomic<int>& done;  // how far it is, for whoever shows it,
  std::atomic<int>& of;    // of so many steps; 0: not worth showing

  Progress progress() const { return {stop, &done}; }
  Progress begin(int steps) const {
    done = 0, of = steps;
    return progress();
  }
};

// Key: all that a result depends on. Kept: what the worker keeps from one request to the next, made on its thread.
template <class Key, class Result, class Kept = Nothing>
class BackgroundJob final : public BackgroundWork {
 public:
  struct Turn : JobTurn<Kept> {
    const std::function<void(Result, bool)>& hand_over;
    // What there is so far, to be polled. enough: whoever waits need not wait for the rest, which ends when something
    // newer is asked for.
    void publish(Result part, bool enough) const { hand_over(std::move(part), enough); }
  };
  using Compute = std::function<Result(const Turn&)>;

  ~BackgroundJob() override { stop(); }

  // Asks, unless the key is what was asked for last, and waits up to patience. A request under way goes on; one that
  // waits gives way. What throws here has asked for nothing.
  void ask(const Key& key, Compute compute, std::chrono::milliseconds patience) {
    if (asked_ == key) return;
    asked_.reset();
    left_ = false;
    failure_.clear();
    if (stop_.stop_requested()) stop_ = {};  // else it tells both: the one under way and this
    work_.ask({++newest_, std::move(compute), stop_.get_token()}, patience);
    asked_ = key;
  }
  const std::optional<Key>& asked() const { return asked_; }

  // The request under way is told to stop. Its key stays: it is not asked for again.
  void stop() { stop_.request_stop(); }
  // Nothing is wanted any more: what is under way is told to stop and never handed over.
  void forget() {
    stop();
    asked_.reset();
    forgotten_ = newest_;
  }
  // The worker lets go of what it keeps between requests; one that waits gives way.
  void let_go_of_kept() { work_.ask({++newest_, nullptr, {}}, std::chrono::milliseconds(0)); }
  void let_go() {  // of everything
    let_go_of_kept();
    forget();
  }

  // Nobody looks at what is shown: what is finished is handed to take. What is asked for goes on while its key is
  // current; else it is let go of, and true: what is shown should go as well. lets_go: what the worker keeps between
  // requests, which may be much, goes as well when it is done.
  template <class Take, class IsCurrent>
  bool leave(const Take& take, const IsCurrent& is_current, bool lets_go = false) {
    const bool busy = computing();  // before what is finished is taken, so that nothing finishes between
    poll(take);
    if (asked_ && !is_current(*asked_)) {
      let_go();
      left_ = true;
      return true;
    }
    if (lets_go && !busy && !std::exchange(left_, true)) let_go_of_kept();
    return false;
  }
  // What this key asks for is there already: nobody waits for what is under way.
  void has(const Key& key) {
    forget();
    asked_ = key;
    failure_.clear();
  }

  // Hands what is finished to take. True when there was something, a result or a failure.
  template <class Take>
  bool poll(const Take& take) {
    auto finished = work_.take();
    auto failure = work_.take_failure();
    if (forgotten_ == newest_) return false;
    if (failure) failure_ = std::move(*failure);
    if (!finished || finished->number <= forgotten_) return failure.has_value();
    if (!failure) failure_.clear();
    take(std::move(finished->result));
    return true;
  }

  bool computing() const override { return work_.computing(); }
  void finish() override { work_.finish(); }
  void finish_enough() { work_.finish_enough(); }
  bool computing_much() const { return work_.computing_much(); }
  void on_finished(std::function<void()> wake) override { work_.on_finished(std::move(wake)); }
  const std::string& failure() const override { return failure_; }
  int done() const { return far_->done; }  // by the request under way
  // How far that is, from 0 to 1; 1, too, where it is not worth showing. before: while it has not begun.
  float progress(float before = 1) const {
    const int of = far_->of;
    if (!computing()) return 1;
    if (of <= 0) return before;
    return std::min(1.0f, static_cast<float>(far_->done) / static_cast<float>(of));
  }

 private:
  struct Request {
    std::uint64_t number = 0;
    Compute compute;  // none: let go
    std::stop_token stop;
  };
  struct Answer {
    std::uint64_t number = 0;
    Result result;
  };

  // Written by the request under way.
  struct Far {
    std::atomic<int> done = 0, of = 0;
  };

  // Nothing when it was stopped. A fault may leave what is kept half-made: then it is not kept.
  std::optional<Answer> answer(const Request& request, std::shared_ptr<Kept>& kept, Far& far) {
    let_others_go_first();  // and the threads of what is kept: a trace is computed before what is measured of the last
    const std::shared_ptr<Kept> mine = kept ? std::exchange(kept, nullptr) : std::make_shared<Kept>();
    if (!request.compute) return {};
    far.done = far.of = 0;
    std::optional<Answer> answer;
    try {
      const std::function<void(Result, bool)> hand_over = [&](Result part, bool enough) {
        if (!work_.publish({request.number, std::move(part)}, enough)) throw Stopped();
        if (enough) rest_for(std::chrono::milliseconds(0));  // who waits goes on first
      };
      answer = {request.number, request.compute(Turn{{*mine, request.stop, far.done, far.of}, hand_over})};
    } catch (const Stopped&) {
    } catch (const Unfinished&) {
      kept = mine;
      throw;
    }
    kept = mine;
    return answer;
  }

  std::optional<Key> asked_;
  std::stop_source stop_;
  std::uint64_t newest_ = 0, forgotten_ = 0;  // numbers of requests
  bool left_ = true;                          // since the last request, and all is let go of that goes then
  std::string failure_;
  std::shared_ptr<Far> far_ = std::make_shared<Far>();
  LatestRequest<Request, Answer> work_{[this, kept = std::shared_ptr<Kept>(), far = far_](
                                           const Request& request) mutable { return answer(request, kept, *far); }};
};

}  // namespace hydra

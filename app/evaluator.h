// Document -> Trace beside the frame loop. A worker thread computes; the caller waits for it a moment, so that whatever
// is quick is shown in the frame that asked for it, and whatever is slow never freezes the window. The newest request
// wins.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

class Evaluator {
 public:
  explicit Evaluator(const Document& first);  // computes the first trace before it returns
  ~Evaluator();

  // Asks for the document's trace and waits for it up to patience; true when trace() now belongs to it.
  bool submit(const Document& document, std::chrono::milliseconds patience);
  bool poll();    // takes over a trace that was finished meanwhile; true when there was one
  void finish();  // waits until nothing is asked for any more
  bool computing() const;
  // Called on the worker's thread when a trace is finished that nobody waited for.
  void on_finished(std::function<void()> wake);

  const std::shared_ptr<const Trace>& trace() const { return trace_; }
  double milliseconds() const { return milliseconds_; }  // that trace() took to compute

 private:
  void work(const std::stop_token& stop);

  std::shared_ptr<const Trace> trace_;  // the caller's side
  double milliseconds_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any wanted_;
  std::condition_variable done_;
  std::optional<Document> request_;
  bool busy_ = false;
  std::shared_ptr<const Trace> finished_;  // not yet taken over
  double finished_milliseconds_ = 0;
  std::function<void()> wake_;
  std::jthread worker_;  // last member: stops before the rest is gone
};

}  // namespace hydra

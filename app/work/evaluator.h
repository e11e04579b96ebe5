// Document -> Trace beside the frame loop (newest.h).
#pragma once
#include <memory>

#include "app/work/newest.h"
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

struct TimedTrace {
  std::shared_ptr<const Trace> trace;
  double milliseconds = 0;  // that it took to compute
};

class Evaluator {
 public:
  explicit Evaluator(const Document& first);  // computes the first trace before it returns

  // Asks for the document's trace and waits for it up to patience; true when trace() now belongs to it.
  bool submit(const Document& document, std::chrono::milliseconds patience);
  bool poll();    // takes over a trace that was finished meanwhile; true when there was one
  void finish();  // waits until nothing is asked for any more
  bool computing() const { return work_.computing(); }
  // Called on the worker's thread when a trace is finished that nobody waited for.
  void on_finished(std::function<void()> wake) { work_.on_finished(std::move(wake)); }

  const std::shared_ptr<const Trace>& trace() const { return now_.trace; }
  double milliseconds() const { return now_.milliseconds; }

 private:
  TimedTrace now_;  // the caller's side
  Newest<Document, TimedTrace> work_;
};

}  // namespace hydra

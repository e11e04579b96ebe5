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
  // Begins with the first trace, and waits for it when that is quick.
  explicit Evaluator(const Document& first);

  // Asks for the document's trace and waits for it up to patience; true when trace() now belongs to it.
  bool submit(const Document& document, std::chrono::milliseconds patience);
  bool poll();    // takes over what was finished meanwhile, a trace or a failure; true when there was one
  void finish();  // waits until nothing is asked for any more
  bool computing() const { return work_.computing(); }
  // Called on the worker's thread when a trace is finished that nobody waited for.
  void on_finished(std::function<void()> wake) { work_.on_finished(std::move(wake)); }

  // The newest that is done. Until the first is, and not ready(), one word that stands in: it must not be shown.
  const std::shared_ptr<const Trace>& trace() const { return now_.trace; }
  bool ready() const { return ready_; }
  const std::string& failure() const { return failure_; }  // why the newest document has no trace; empty: it has
  double milliseconds() const { return now_.milliseconds; }

 private:
  TimedTrace now_;  // the caller's side
  bool ready_ = false;
  std::string failure_;
  Newest<Document, TimedTrace> work_;
};

}  // namespace hydra

// Document -> Trace beside the frame loop (newest.h).
#pragma once
#include <memory>

#include "app/work/newest.h"
#include "core/attention/trace.h"
#include "core/document/evaluate.h"

namespace hydra {

struct TimedTrace {
  std::shared_ptr<const Trace> trace;
  double milliseconds = 0;  // that it took to compute
};

class Evaluator {
 public:
  // Begins with the first trace, of which the first layer is in focus, and waits for it when that is quick.
  explicit Evaluator(const Document& first);

  // Asks for the document's trace with a layer in focus (Keeping) and waits for it up to patience; true when trace()
  // now belongs to it.
  bool submit(const Document& document, int focus, std::chrono::milliseconds patience);
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
  void keep_at_most(double bytes) { most_ = bytes; }  // from the next request on; see Keeping

 private:
  struct Request {
    Document document;
    Keeping keeping;
  };
  struct Evaluation;

  TimedTrace now_;  // the caller's side
  bool ready_ = false;
  std::string failure_;
  double most_ = kMostKept;
  Newest<Request, TimedTrace> work_;
};

}  // namespace hydra

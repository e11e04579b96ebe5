// Document -> Trace in the background (latest_request.h), of deep stacks in two steps: the layers up to the one in
// focus, which a drag waits for, and meanwhile, by another worker, those after it, which are a moment older
// (Trace::older_from).
#pragma once
#include <cstdint>
#include <memory>

#include "app/work/latest_request.h"
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
  // now belongs to it. all_rows: of what is read out, which is looked at as a whole.
  bool submit(const Document& document, int focus, std::chrono::milliseconds patience,
              ReadOut rows = ReadOut::asked_rows);
  bool poll();    // takes over what was finished meanwhile, a trace or a failure; true when there was one
  void finish();  // waits until nothing is asked for any more
  bool computing() const { return first_.computing() || rest_.computing() || has_older(); }
  // Called on a worker's thread when a trace is finished that nobody waited for.
  void on_finished(const std::function<void()>& wake);

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
    std::shared_ptr<const Trace> previous;  // none at first
    std::uint64_t number = 0;
    enum class Part { beginning, to_focus, whole } part = Part::whole;
  };
  struct Answer {
    TimedTrace timed;
    std::uint64_t number = 0;
  };
  struct Evaluation;

  bool has_older() const { return now_.trace->older_from && failure_.empty(); }
  bool poll_first();
  bool poll_rest();

  TimedTrace now_;  // the caller's side
  bool ready_ = false;
  std::string failure_;
  double most_ = kMostKept;
  Request asked_;                   // the newest, without what it was to share with
  std::uint64_t first_number_ = 0;  // of what now_ has up to its focus
  LatestRequest<Request, Answer> first_, rest_;
};

}  // namespace hydra

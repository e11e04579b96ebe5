// The residual stream beside the frame loop (job.h): asked for again whenever the trace, the token or the question
// changes.
#pragma once
#include "app/views/stream_shown.h"
#include "app/work/job.h"

namespace hydra {

class StreamKeeper {
 public:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    Index token = 0, question = 0;
    bool operator==(const Asked&) const = default;
  };
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience. True when shown()
  // changed.
  bool update(const Asked& asked, std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes with the measures when they are not of this trace. What the
  // worker keeps between requests goes when it is done.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& beside() { return job_; }

  const StreamShown& shown() const { return shown_; }

 private:
  struct Measuring {
    ThreadPool pool{half_of_the_machine()};
    StreamMeasures measures{&pool};
    DirectMeasures effects{&pool};
  };

  StreamShown shown_;
  Job<Asked, StreamShown, Measuring> job_;
};

}  // namespace hydra

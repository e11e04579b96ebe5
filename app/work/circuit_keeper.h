// Composition beside the frame loop (job.h): asked for again whenever the trace changes; of what has the same weights
// nothing is measured again.
#pragma once
#include "app/views/circuit_shown.h"
#include "app/work/job.h"

namespace hydra {

class CircuitKeeper {
 public:
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience. True when shown()
  // changed.
  bool update(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes with the measures when they are not of this trace.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& beside() { return job_; }

  const CircuitShown& shown() const { return shown_; }

 private:
  struct Measuring {
    ThreadPool pool{half_of_the_machine()};
    CircuitMeasures measures{&pool};
  };

  CircuitShown shown_;
  Job<std::shared_ptr<const Trace>, CircuitShown, Measuring> job_;
};

}  // namespace hydra

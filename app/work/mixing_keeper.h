// The measures of mixing beside the frame loop (job.h): asked for again whenever the trace changes.
#pragma once
#include "app/views/heads_together.h"
#include "app/work/job.h"

namespace hydra {

class MixingKeeper {
 public:
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience. True when shown()
  // changed.
  bool update(const std::shared_ptr<const Trace>& trace, int layer, Written written,
              std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes with the measures when they are not of this trace.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& beside() { return job_; }

  const MixingShown& shown() const { return shown_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    int layer = 0;
    Written written = Written::all;
    bool operator==(const Asked&) const = default;
  };
  struct Measuring {
    ThreadPool pool{half_of_the_machine()};
    MixingMeasures measures{&pool};
  };

  MixingShown shown_;
  Job<Asked, MixingShown, Measuring> job_;
};

}  // namespace hydra

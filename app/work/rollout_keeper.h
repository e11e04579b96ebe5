// Rollout beside the frame loop (job.h): asked for again whenever the trace, the layer in focus or its kind changes.
#pragma once
#include "app/views/rollout_shown.h"
#include "app/work/job.h"

namespace hydra {

class RolloutKeeper {
 public:
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience. True when shown()
  // changed.
  bool update(const std::shared_ptr<const Trace>& trace, int layers, RolloutKind kind,
              std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes when it is not of this trace.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& beside() { return job_; }

  const RolloutShown& shown() const { return shown_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    int layers = 0;
    RolloutKind kind = RolloutKind::attention;
    bool operator==(const Asked&) const = default;
  };
  struct Working {
    ThreadPool pool{half_of_the_machine()};
  };

  RolloutShown shown_;
  Job<Asked, RolloutShown, Working> job_;
};

}  // namespace hydra

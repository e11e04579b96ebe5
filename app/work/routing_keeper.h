// Routing beside the frame loop (job.h): asked for again whenever the trace or the layer in focus changes.
#pragma once
#include "app/views/routing_shown.h"
#include "app/work/job.h"

namespace hydra {

class RoutingKeeper {
 public:
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience. True when shown()
  // changed.
  bool update(const std::shared_ptr<const Trace>& trace, int layer, std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes when it is not of this trace.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& beside() { return job_; }

  const RoutingShown& shown() const { return shown_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    int layer = 0;
    bool operator==(const Asked&) const = default;
  };
  struct Working {
    ThreadPool pool{half_of_the_machine()};
  };

  RoutingShown shown_;
  Job<Asked, RoutingShown, Working> job_;
};

}  // namespace hydra

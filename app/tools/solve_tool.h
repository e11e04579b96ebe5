// Solve, a tool of the Mixing view: the W_O that comes nearest to a target, found in the background (background_job.h)
// in whatever view is open.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/mixing/mixing_solve.h"
#include "app/work/background_job.h"

namespace hydra {

class SolveTool {
 public:
  struct Of {
    const Document& document;
    const Trace& trace;
    int layer;       // in focus
    bool computing;  // a newer one
    const MarkedSentences& marked;
  };
  // Refused in a notice, where it cannot be.
  void start(const act::Solve& solve, const Of& of, Notice& notice);
  // Sends what was found, unless the W_O that it began with is gone.
  void update(const Document& document, int layer, Notice& notice, Outbox& out);
  const Solving& shown() const { return shown_; }
  bool under_way() const { return job_.asked().has_value(); }
  BackgroundWork& background() { return job_; }

 private:
  using Found = std::shared_ptr<FoundOutput>;
  void take(const Found& found, const Document& document, Notice& notice, Outbox& out);

  Solving shown_;
  int layer_ = 0;                // whose W_O
  Array<float> before_, found_;  // when it began; null: nothing found yet
  BackgroundJob<Nothing, Found> job_;
};

}  // namespace hydra

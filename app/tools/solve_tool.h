// Solve, a tool of the Mixing view: the W_O that comes nearest to a target, found beside the frame loop (job.h) in
// whatever view is open.
#pragma once
#include "app/views/context.h"
#include "app/views/mixing/mixing_solve.h"
#include "app/work/job.h"

namespace hydra {

class SolveTool {
 public:
  void start(Outbox::Solve solve, const Document& document, ViewState& view);
  // Sends what was found, unless the W_O that it began with is gone.
  void update(const Document& document, ViewState& view, Outbox& out);
  bool under_way() const { return job_.asked().has_value(); }
  Beside& beside() { return job_; }

 private:
  using Found = std::shared_ptr<OutputSolving::Found>;
  void take(const Found& found, const Document& document, ViewState& view, Outbox& out);

  int layer_ = 0;                // whose W_O
  Array<float> before_, found_;  // when it began; null: nothing found yet
  Job<Nothing, Found> job_;
};

}  // namespace hydra

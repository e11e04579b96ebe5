// Repel, a tool of the Likeness view: steps of a descent, one after the other in the background (background_job.h),
// each of them seen before the next. It goes on in whatever view is open, and is one gesture in all.
#pragma once
#include "app/views/frame/context.h"
#include "app/work/background_job.h"
#include "core/design/collapse.h"

namespace hydra {

class RepelTool {
 public:
  // What the tool goes on from in a frame.
  struct Now {
    const Document& document;
    const Trace* trace;  // of the document; null: not there yet
    float seconds;       // since the last frame
    bool unicode;        // in what is said
  };

  void start(const Document& document, int layer, int most_steps);  // 0: as many as there are
  // Sends the step that is done, and asks for the next. Ends when nothing lowers the mean cosine any more, after the
  // last step, or when something else was edited meanwhile.
  void update(const Now& now, Notice& notice, Outbox& out);
  bool under_way() const { return under_way_; }
  const std::optional<Repelling>& shown() const { return shown_; }
  BackgroundWork& background() { return job_; }

 private:
  void take(Repelled step, const Now& now, Notice& notice, Outbox& out);
  void end(Notice& notice, Outbox& out, std::string said, bool error);

  std::optional<Repelling> shown_;
  AttentionWeights<float> made_;  // by the last step
  float rested_ = 0;              // seconds since
  bool under_way_ = false;
  int most_steps_ = 0;
  BackgroundJob<int, Repelled> job_;  // by steps done before
};

}  // namespace hydra

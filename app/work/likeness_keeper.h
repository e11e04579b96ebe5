// The likeness of the heads beside the frame loop (job.h): asked for again whenever what it depends on changes.
#pragma once
#include "app/views/heads_together.h"
#include "app/work/job.h"

namespace hydra {

class LikenessKeeper {
 public:
  struct Wanted {
    std::shared_ptr<const Trace> trace;
    int layer;  // or LikenessShown::kAllLayers
    const Document& document;
    std::uint64_t version;  // of the document
    bool pooled;            // over all marked sentences; else over the trace's own
    LikenessWanted measures;
    const MarkedSentences& marked;
  };
  // Takes over what is finished, and asks for what is missing, waiting for it up to patience when it is not much work.
  // What is under way for an older request of all layers is stopped when it is much. True when shown() has another
  // table, or is further.
  bool update(const Wanted& wanted, std::chrono::milliseconds patience);
  // Nobody looks: what is asked for goes on, and goes with the table when they are not of this trace. What the worker
  // keeps between requests goes when it is done.
  void leave(const std::shared_ptr<const Trace>& trace);
  Beside& beside() { return job_; }

  const LikenessShown& shown() const { return shown_; }

 private:
  struct Asked {
    std::shared_ptr<const Trace> trace;
    int layer = 0;
    std::optional<std::uint64_t> version;  // where sentences are pooled
    LikenessWanted measures;
    bool operator==(const Asked& other) const;
  };
  struct Measuring {
    ThreadPool pool{half_of_the_machine()};
    LikenessTables tables{&pool};
  };
  using Measure = Job<Asked, LikenessShown, Measuring>;

  static Measure::Compute measuring(const Wanted& wanted);
  LikenessShown shown_;
  Measure job_;
};

}  // namespace hydra

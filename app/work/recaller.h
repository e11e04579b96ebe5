// A step of a run that the timeline does not keep, trained again in the background (background_job.h).
#pragma once
#include "app/work/learner.h"

namespace hydra {

class Recaller {
 public:
  struct Recalled {
    int branch = 0, step = 0;
    learn::Parameters parameters;
    std::vector<float> row;  // what the next step shows; empty: its loss is no number
  };

  // In the place of what it is at. The stretch goes up to the step; the branch is the one that took it.
  void ask(const OfRun& run, int branch, int step, Stretch stretch, const learn::Tracks& tracks);
  void forget() { job_.forget(); }
  bool under_way() const { return job_.asked().has_value() && job_.computing(); }
  int step() const { return under_way() ? job_.asked()->step : -1; }  // -1: none is trained again
  float progress() const;
  std::optional<Recalled> take();                                     // once, when it is there
  std::string take_failure() { return std::exchange(failure_, {}); }  // once, why it is not

  BackgroundWork& background() { return job_; }

 private:
  struct Asked {
    OfRun run;
    int branch = 0, step = 0;
    bool operator==(const Asked&) const = default;
  };
  struct Kept {
    ThreadPool pool{half_of_the_machine()};
  };
  int steps_ = 1;  // that are taken for it
  std::string failure_;
  BackgroundJob<Asked, Recalled, Kept> job_;
};

}  // namespace hydra

// What the heads of a trained model are worth, and what is left without them, in the background (background_job.h).
#pragma once
#include "app/views/frame/learn_told.h"
#include "app/work/learner.h"

namespace hydra {

class PruningKeeper {
 public:
  struct Wanted {
    std::shared_ptr<const learn::Task> task;
    OfRun run;
    int branch = 0, step = 0;
    std::function<Document()> document;  // at that step; called when it is asked for
    learn::Recipe recipe;
    std::uint64_t seed = 0;
    std::vector<learn::DrawnSteps> training;  // of the model at that step
  };
  // Takes over what is finished, and asks for what is missing.
  void update(const Wanted& wanted, LearnTold& shown);
  void leave(LearnTold& shown);  // nobody looks, or there is no run
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
  BackgroundJob<Asked, PruningTold, Kept> job_;
  int work_ = 1;  // what is asked for takes, as progress counts it
};

}  // namespace hydra

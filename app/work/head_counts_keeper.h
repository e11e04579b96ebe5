// Trains models of few and of many heads beside the frame (job.h), when it is told to: independent runs, each on one
// thread. What they have come to is shown as they go on, and kept until the program ends: it depends on no document.
#pragma once
#include <atomic>
#include <chrono>
#include <mutex>

#include "app/views/head_counts_shown.h"
#include "app/work/job.h"

namespace hydra {

class HeadCountsKeeper {
 public:
  HeadCountsKeeper();
  // Trains in the place of what is being trained. Runs that are done are not trained again: they would come to the same
  // bits.
  void start(const learn::CountsAsked& asked);
  void cancel();  // runs that are done stay, of the others what was seen of them
  // Takes over what was trained meanwhile; true when shown() changed.
  bool update();
  Beside& beside() { return job_; }
  // Called on training threads when there is something new to show.
  void on_news(std::function<void()> wake);

  const HeadCountsShown& shown() const { return shown_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Trained = HeadCountsShown::Trained;
  // Written by training threads.
  struct News {
    std::mutex mutex;
    std::vector<std::shared_ptr<const learn::CountRun>> runs;  // not yet taken over
    int training = 0;                                          // which start they are of
    std::function<void()> wake;
  };
  struct Pool {
    ThreadPool pool{threads()};
    static int threads();
  };

  bool take_runs();
  void keep(std::shared_ptr<const Trained> trained);

  HeadCountsShown shown_;
  int trainings_ = 0, steps_ = 1;  // of the one under way
  Clock::time_point began_;
  std::shared_ptr<News> news_ = std::make_shared<News>();
  Job<int, bool, Pool> job_;  // by the number of the training: whether all of it was done
};

}  // namespace hydra

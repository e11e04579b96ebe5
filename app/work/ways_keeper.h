// Times the ways to compute attention beside the frame loop (job.h), when it is told to: on one thread, so that the
// frames keep the rest of the machine. What is measured is shown length by length.
#pragma once
#include <mutex>

#include "app/views/ways_shown.h"
#include "app/work/job.h"

namespace hydra {

// What was measured anew, and of the measurement before what has not been reached again: only where both were asked for
// and the sizes are the same.
TimedWays renewed(TimedWays now, const TimedWays& before);

class WaysKeeper {
 public:
  // Begins to measure, in the place of what is being measured; lengths ascending.
  void start(const LayerInput<float>& layer, std::vector<Index> lengths);
  void cancel();  // within the run under way; what was measured stays, by the measurement before too
  // Takes over what was measured meanwhile; true when shown() changed.
  bool update();
  Beside& beside() { return job_; }
  // Called on the measuring thread when there is something new to show.
  void on_news(std::function<void()> wake);

  const WaysShown& shown() const { return shown_; }

 private:
  // Written by the measuring thread.
  struct News {
    std::mutex mutex;
    std::shared_ptr<const TimedWays> timed;
    std::string now;
    float progress = 0;
    bool any = false;  // not yet taken over
    std::function<void()> wake;
  };
  template <class Change>
  static void tell(News& news, const Change& change);

  WaysShown shown_;
  bool any_found_ = false;  // by the run that was started last
  int runs_ = 0;
  std::shared_ptr<News> news_ = std::make_shared<News>();
  Job<int, bool> job_;  // by the number of the run: whether all of it was measured
};

}  // namespace hydra

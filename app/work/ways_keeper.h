// Times the ways to compute attention beside the frame loop, when it is told to: on one thread, so that the frames keep
// the rest of the machine. What is measured is shown length by length.
#pragma once
#include <atomic>
#include <mutex>

#include "app/views/ways_shown.h"
#include "app/work/newest.h"

namespace hydra {

// What was measured anew, and of the measurement before what has not been reached again: only where both were asked for
// and the sizes are the same.
TimedWays renewed(TimedWays now, const TimedWays& before);

class WaysKeeper {
 public:
  WaysKeeper();
  ~WaysKeeper();
  WaysKeeper(const WaysKeeper&) = delete;
  WaysKeeper& operator=(const WaysKeeper&) = delete;

  // Begins to measure, in the place of what is being measured; lengths ascending.
  void start(const LayerInput<float>& layer, std::vector<Index> lengths);
  void cancel();  // within the run under way; what was measured stays, by the measurement before too
  // Takes over what was measured meanwhile; true when shown() changed.
  bool update();
  void finish() { work_.finish(); }  // waits; update takes the result over
  bool computing() const { return work_.computing(); }
  // Called on the measuring thread when there is something new to show.
  void on_news(std::function<void()> wake);

  const WaysShown& shown() const { return shown_; }

 private:
  struct Request {
    LayerInput<float> layer;
    std::vector<Index> lengths;
    std::shared_ptr<const TimedWays> before;
    std::stop_token stop;
  };
  // Written by the measuring thread.
  struct News {
    std::mutex mutex;
    std::shared_ptr<const TimedWays> timed;
    std::string now;
    float progress = 0;
    bool any = false;  // not yet taken over
    std::function<void()> wake;
  };
  static bool measure(const Request& request, News& news);
  template <class Change>
  static void tell(News& news, const Change& change);

  WaysShown shown_;
  bool any_found_ = false;  // by the run that was started last
  std::stop_source stop_{std::nostopstate};
  std::shared_ptr<News> news_ = std::make_shared<News>();
  Newest<Request, bool> work_;
};

}  // namespace hydra

// What is followed over the steps of a run, in all its branches, measured in the background (background_job.h) at steps
// that are kept.
#pragma once
#include <map>

#include "app/views/frame/learn_told.h"
#include "app/work/learner.h"
#include "core/learn/runs/follow.h"

namespace hydra {

class FollowKeeper {
 public:
  struct Wanted {
    std::shared_ptr<const learn::Task> task;
    std::shared_ptr<const learn::Timeline> timeline;
    std::shared_ptr<const Document> document;  // of the run's model
    learn::Followed followed;
  };
  // Takes over what is finished, and asks for steps that are missing.
  void update(const Wanted& wanted, FollowedTold& shown);
  void leave(FollowedTold& shown);  // nobody looks, or there is no run
  BackgroundWork& background() { return job_; }

 private:
  using Place = std::pair<int, int>;  // branch, step
  struct Point {
    Place place;
    learn::Parameters parameters;
    std::vector<double> gates;
  };
  struct Measured {
    std::uint64_t of = 0;
    std::vector<std::pair<Place, std::vector<double>>> values;
  };
  struct Kept {
    ThreadPool pool{half_of_the_machine()};
    std::unique_ptr<learn::Follower> follower;
    std::uint64_t of = 0;
  };
  struct Asked {
    std::uint64_t of = 0, request = 0;
    bool operator==(const Asked&) const = default;
  };
  // Steps between points: few enough, and the same as the branch grows, until they are twice as far apart.
  static int apart_of(const learn::Timeline::Branch& branch);
  std::vector<Point> missing(const learn::Timeline& timeline) const;
  void lay_out(const learn::Timeline& timeline, FollowedTold& shown) const;

  BackgroundJob<Asked, Measured, Kept> job_;
  OfRun run_;
  learn::Followed followed_;
  std::uint64_t of_ = 0, requests_ = 0;  // changes with the run, its branches' numbers and what is followed
  int branches_ = 0;
  bool looked_at_ = false;
  std::map<Place, std::vector<double>> values_;  // by layer and head
};

}  // namespace hydra

// A step of a run, opened in the background (background_job.h), and what its page draws of it.
#pragma once
#include "app/views/frame/learn_told.h"
#include "app/work/learner.h"

namespace hydra {

class OpenedKeeper {
 public:
  struct Wanted {
    OfRun run;
    int branch = 0, step = 0;
    std::uint64_t edit = 0;            // of the document there; 0: none
    std::function<Stretch()> stretch;  // up to that step; called when it is asked for
    GradientsAsked view;
    Index layer = 0;
  };
  // Takes over what is finished, and asks for what is missing.
  void update(const Wanted& wanted, OpenedTold& shown);
  void leave(OpenedTold& shown);  // nobody looks, or there is no run
  BackgroundWork& opening() { return opening_; }
  BackgroundWork& measuring() { return measuring_; }

 private:
  using Opened = std::shared_ptr<const learn::OpenedStep>;
  struct Asked {
    OfRun run;
    int branch = 0, step = 0;
    std::uint64_t edit = 0;
    bool operator==(const Asked&) const = default;
  };
  struct Kept {
    ThreadPool pool{half_of_the_machine()};
  };
  // What is measured of it by steps of its own: the heads' coupling, or a layer's slopes.
  struct Measured {
    Opened of;
    std::shared_ptr<const learn::HeadCoupling> coupling;
    std::shared_ptr<const learn::SoftmaxSlopes> slopes;
  };
  struct MeasureAsked {
    Opened of;
    GradientPart part{};
    Index layer = 0;
    bool operator==(const MeasureAsked&) const = default;
  };
  void measure(const Wanted& wanted, OpenedTold& shown);
  // What is only picked out of it, on this thread.
  static void pick_patterns(const Wanted& wanted, OpenedTold& shown);
  void pick_weights(const Wanted& wanted, OpenedTold& shown);
  void pick_number(const Wanted& wanted, OpenedTold& shown);

  BackgroundJob<Asked, Opened, Kept> opening_;
  BackgroundJob<MeasureAsked, Measured, Kept> measuring_;
  struct Told {
    std::optional<Cell> selected;
    Index sequence = 0, layer = 0;
    bool operator==(const Told&) const = default;
  };
  std::optional<Told> told_;           // what shown.told is of
  std::optional<Index> picked_layer_;  // what shown.weights is of, with the view's choice
  bool picked_others_ = false;
};

}  // namespace hydra

// A training run as the Learn view shows it.
#pragma once
#include <memory>
#include <string>

#include "core/learn/pruning.h"
#include "core/learn/timeline.h"

namespace hydra {

// What the heads of the model are worth, at one step of a run.
struct PruningShown {
  int branch = 0, step = 0;
  std::shared_ptr<const learn::HeadWorth> worth;
  std::shared_ptr<const learn::ClosedGates> closed;
  std::shared_ptr<const learn::Pruning> important, greedy;
};

struct LearnShown {
  std::shared_ptr<const learn::Task> chosen;        // what the controls are of
  std::shared_ptr<const learn::Task> task;          // of the run; null: there is none
  std::shared_ptr<const learn::Timeline> timeline;  // null: there is none
  int branch = 0, step = 0;                         // where the document is, or was before it was edited
  bool fits = false;                                // the document is of the run's model
  bool edited = false;                              // it has other weights or gates than that step
  bool begins_anew = false;                         // what the controls say needs another model
  bool training = false, playing = false;
  int goal = 0;                 // training ends there at the latest
  double per_second = 0;        // steps, while training
  std::string fault;            // why what the controls say cannot be trained; else empty
  PruningShown pruning;         // while its page is open; null: not yet measured
  float pruning_progress = 1;   // below 1: another is being measured
  std::string pruning_failure;  // why it could not be
  std::string told;             // how the last stretch ended
};

}  // namespace hydra

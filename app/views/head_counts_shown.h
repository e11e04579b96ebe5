// Models of few and of many heads that are trained beside the frame, as the Trade-off view shows them.
#pragma once
#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "core/learn/head_counts.h"

namespace hydra {

struct HeadCountsShown {
  // Of one width and one number of steps: all that was trained of it, or is being trained.
  struct Trained {
    Index d_model = 0;
    int steps = 0;
    learn::CountRuns runs;
  };
  std::shared_ptr<const learn::Task> task;
  std::shared_ptr<const learn::CountExample> example;
  std::vector<std::shared_ptr<const Trained>> trained;  // by width, then steps
  bool training = false;
  bool ending = false;     // cancelled, with a step still under way
  learn::CountsAsked now;  // what is, or was last, trained
  float progress = 0;
  double seconds_left = -1;  // below 0: not known yet
  std::string failure;       // why the last training ended early; else empty

  // Null: nothing was.
  const Trained* of(Index d_model, int steps) const {
    for (const auto& t : trained)
      if (t->d_model == d_model && t->steps == steps) return t.get();
    return nullptr;
  }
};

}  // namespace hydra

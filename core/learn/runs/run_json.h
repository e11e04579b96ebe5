// Training runs as JSON: what they were, how they went, what came of them.
#pragma once
#include <string>
#include <vector>

#include "core/learn/run.h"

namespace hydra::learn {

struct CurvePoint {
  int step = 0;  // so many were taken
  Scores scores;
};

struct RunResult {
  const TaskInfo* info = nullptr;
  Recipe recipe;
  std::uint64_t seed = 0;
  std::vector<CurvePoint> curve;   // on the run's held-out sequences; the last is the end
  RepeatShares repeats, as_drawn;  // of these (held_out.h)
  Index drawn_again = 0;
  bool diverged = false;  // loss or gradient were no numbers, so it ended early
};

// An object: task, settings, seed, evaluation (how many of its sequences training draws as well), curve (step, loss,
// accuracy, and by question and relation), final.
std::string run_text(const RunResult& result);

}  // namespace hydra::learn

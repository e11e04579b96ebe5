// The sequences that a run is evaluated on, held out from those that it is trained on: what training draws is found out
// by drawing it again, and a sequence of the evaluation that is among it gives way to another. Training itself draws
// what it always did.
#pragma once
#include <vector>

#include "core/learn/task.h"
#include "core/work/progress.h"

namespace hydra {
class ThreadPool;
}

namespace hydra::learn {

// Steps of training: so many sequences each, of that seed.
struct DrawnSteps {
  std::uint64_t seed = 0;
  int from = 0, to = 0;  // the last one is not among them
  Index batch = 0;
};

// Shares of sequences that training draws as well: of all, of those that ask a question, and of those of which a
// relation's gold is known. Of none, 0.
struct RepeatShares {
  double all = 0;
  std::vector<double> by_question, by_relation;
};

struct HeldOut {
  Batch batch;
  std::vector<bool> repeats;      // by sequence: training draws it, too
  Index drawn_again = 0;          // others stand in their places
  RepeatShares as_drawn, shares;  // before, and as it is

  // Where more of what is drawn than this recurs, the task has too few sequences: what training leaves would be the
  // rarest of them, so all stay as they are drawn, and their shares are to be said.
  static constexpr double kMostReplaced = 1.0 / 16;
};

// So many sequences of the task's evaluation by that seed. The same at any number of threads. A tenth, at the most, of
// the time that so much training takes.
HeldOut hold_out(const Task& task, std::uint64_t seed, Index count, const std::vector<DrawnSteps>& training,
                 ThreadPool* pool, const Progress& progress = {});

}  // namespace hydra::learn

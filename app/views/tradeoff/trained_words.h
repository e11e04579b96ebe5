// What was trained, in numbers over seeds and in sentences.
#pragma once
#include <string>
#include <vector>

#include "app/views/head_counts_shown.h"
#include "core/analysis/spread.h"

namespace hydra::tradeoff {

// Of one number of heads. Over the runs that are done, on the task's evaluation; while none is, over those under way,
// on their last batches.
struct CountSummary {
  Index heads = 1;
  int runs = 0;  // of which the numbers are; 0: none has begun
  bool done = false;
  Spread accuracy, loss;
  int answered = 0;          // questions, of which as many runs answer more as answer fewer
  std::vector<int> by_seed;  // each run's; -1: not begun
};
std::vector<CountSummary> summaries(const HeadCountsShown::Trained& trained);  // by number of heads

// Numbers that a model learns: those of the words, the four matrices, the readout with its biases. No h in it.
Index parameter_count(const learn::TaskInfo& info, Index d_model);

// "Of 4 questions 1 head answers 1; 2 heads 2; 4 and 8 heads all; 32 heads none"; brief: only the fewest heads, those
// that answer the most, and the most heads. Empty while nothing was seen of some number of heads.
std::string walls_sentence(const std::vector<CountSummary>& counts, Index questions, bool brief);
// "1 of 30 runs done, 12 s left"
std::string progress_text(const HeadCountsShown& shown);
// What is equal for all, what the right wall stands under, and what more steps were found to do.
std::string budget_note(const learn::TaskInfo& info, Index d_model, int steps);
// ".98", "1.0": a share in three characters.
std::string accuracy_text(double share);

}  // namespace hydra::tradeoff

// What was trained, in numbers over seeds and in sentences.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/measures/head_counts.h"
#include "app/scene/view_state.h"
#include "core/analysis/spread.h"

namespace hydra::tradeoff {

// The tasks that can be trained there.
struct TrainedTask {
  const char *key, *label, *tip;  // label, tip: texts
};
std::span<const TrainedTask> trained_tasks();
// That is chosen; the first, where there is no such one.
const TrainedTask& task_of(const TrainedState& state);
// "Grammar": its title up to the colon.
std::string short_title(const learn::TaskInfo& task);

// What is chosen on the page.
learn::CountsAsked asked_of(const TrainedState& state);

// One model at one rate. Over the runs that are done, on the task's evaluation; while none is, over those under way, on
// their last batches.
struct RateSummary {
  double rate = 0;
  int runs = 0;  // of which the numbers are; 0: none has begun
  bool done = false;
  Spread accuracy, loss;
  int answered = 0;          // questions, of which as many runs answer more as answer fewer
  std::vector<int> by_seed;  // each run's; -1: not begun
};
// One model at all rates that are asked for.
struct CountSummary : learn::CountModel {
  std::vector<RateSummary> rates;
  std::size_t best = 0;  // the rate of the highest median accuracy, of equal ones that of the highest mean

  const RateSummary& at_best() const { return rates[best]; }
};
// A summary for each model that is asked for, also where nothing was trained.
std::vector<CountSummary> summaries(const learn::CountsAsked& asked, const learn::CountRuns& runs);
// The same of what was trained; null: nothing.
std::vector<CountSummary> summaries(const learn::CountsAsked& asked, const HeadCountsMeasure::Trained* trained);

// Numbers that a model learns: those of the words, each layer's four matrices, the readout with its biases. No h in it.
Index parameter_count(const learn::TaskInfo& info, Index d_model, Index layers = 1);

// "Of 4 questions the median run answers 1 with 1 head; all with 4 and 8; none with 32", of models of one layer, each
// at its best rate; brief: only the fewest heads, those that answer the most, and the most heads; so_far: it says that
// more is to come. Empty while nothing was seen of some number of heads.
std::string walls_sentence(const std::vector<CountSummary>& counts, Index questions, bool brief, bool so_far = false);
// "1 of 30 runs done, 12 s left"
std::string progress_text(const Measured<HeadCountsMeasure>& counts);
// The task, and what is equal for all models.
std::string budget_note(const learn::TaskInfo& info, const learn::CountsAsked& asked);
// "4", "4 and 8", "4, 8 and 16"
std::string listed(const std::vector<Index>& counts);
// "4 heads", "4 layers of 1 head"
std::string model_name(const CountSummary& count);
// ".003"
std::string rate_text(double rate);
// ".98", "1.0": a share in three characters.
std::string accuracy_text(double share);

}  // namespace hydra::tradeoff

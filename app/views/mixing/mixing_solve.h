// A W_O that comes nearest to a target, for the sentence that is shown or for all marked ones.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/scene/view_state.h"
#include "core/design/output_weights.h"
#include "core/document/document.h"
#include "core/measures/pooled.h"

namespace hydra {

// The feature that the tool offers: the one chosen, else "animate".
int solving_feature(const OutputSolving& solving);

// The column of Y that a feature is to appear in: its own where the columns of X have names and this is one of them,
// else the first.
Index feature_column(const Trace& trace, int feature);

// What Y should be. For a feature: all 0, but 1 in its column for each token of which the pattern's largest weight goes
// to a word with the feature.
Mat<float> output_target(const Trace& trace, SolveTarget target, int feature, const Site& attention);

// C and the target of each trace.
std::vector<OutputExample> output_examples(const std::vector<std::shared_ptr<const Trace>>& traces, SolveTarget target,
                                           int feature, const Site& attention);

// What a run comes to: a W_O, or why there is none.
struct FoundOutput {
  SolvedOutput solved;
  std::string name;     // of the target
  std::string refusal;  // empty: solved
};
std::shared_ptr<FoundOutput> solve_for(const std::vector<OutputExample>& examples,
                                       const AttentionWeights<float>& weights, std::string name);

// "X", or "animate of what head 3 attends to".
std::string target_name(SolveTarget target, int feature, int head);

// What the residual was and is: ||Y - target||^2 / ||target||^2; and the rank, with what an exact solution means.
std::string solved_result(const SolvedOutput& solved);
std::string solved_remark(const SolvedOutput& solved);

}  // namespace hydra

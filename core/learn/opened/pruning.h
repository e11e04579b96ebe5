// Which heads a trained model needs: what each is worth by three measures, and what is left of the accuracy when heads
// are cut away one after the other. On the task's evaluation (Run::evaluate), by gates: a head that is cut has gate 0.
#pragma once
#include <vector>

#include "core/learn/run.h"
#include "core/work/progress.h"

namespace hydra::learn {

// Of the heads that are open, in the order of layers. What was silent stays so and has no worth.
struct HeadWorth {
  double loss = 0, accuracy = 0;         // with all of them
  RepeatShares repeats;                  // of the sequences that this is measured on (held_out.h)
  std::vector<int> heads;                // layer * (heads of the layer with the most) + head
  std::vector<double> ablation;          // by how much the loss grows without it
  std::vector<double> ablation_answers;  // by how much the accuracy falls without it
  std::vector<double> importance;        // mean over sequences of |dL/dgate| (Michel et al. 2019, equation 2)
};
HeadWorth head_worth(Run& run, ThreadPool* pool, const Progress& progress = {});

// The gates that heads of their own get when the model is trained on with a price on open ones (Louizos et al. 2018;
// Voita et al. 2019): [as HeadWorth::heads] the gate at the end, 0 to 1, and after how many steps it was last above a
// half (steps: it still is).
struct ClosedGates {
  double price = 0;
  int steps = 0;
  std::vector<double> gates;
  std::vector<int> closed;
};
// The document's model, on from its weights, in a run of its own with that price at its last step
// (HeadControls::gates).
ClosedGates close_gates(const std::shared_ptr<const Task>& task, const Document& document, Recipe recipe,
                        std::uint64_t seed, double price, int steps, const std::vector<int>& heads, ThreadPool* pool,
                        const Progress& progress = {});

// Heads cut away one after the other, and what is left: [1 more than heads], the first with all of them.
struct Pruning {
  std::vector<int> order;  // places of HeadWorth::heads
  std::vector<double> loss, accuracy;
};
// The least important first, by their importance with all heads there.
Pruning prune_by_importance(Run& run, const HeadWorth& worth, ThreadPool* pool, const Progress& progress = {});
// Each time the head without which the loss is least, of those still there.
Pruning prune_greedily(Run& run, const HeadWorth& worth, ThreadPool* pool, const Progress& progress = {});
// Evaluations that each takes, as progress counts them.
int evaluations_of_worth(int heads);
int evaluations_of_importance_pruning(int heads);
int evaluations_of_greedy_pruning(int heads);

// Where the measures put a head at places that are far apart: the place of each by a measure, the least first (equal
// ones share the mean of theirs), and whether two of its places are at least half of the heads apart.
struct Placed {
  std::vector<std::vector<double>> places;  // by measure, then head; 1 the least
  std::vector<bool> disagree;
};
Placed placed(const std::vector<std::vector<double>>& measures);

}  // namespace hydra::learn

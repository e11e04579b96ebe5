// Trade-off by training: a task by models of one layer and one width cut into few and many heads, with as many
// parameters and as many steps each, at several learning rates and over several seeds; and by a deeper model.
#pragma once
#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/learn/run.h"
#include "core/model/cost.h"
#include "core/work/progress.h"

namespace hydra::learn {

// 1, 2, 4, ... up to heads of one number.
std::vector<Index> halvings(Index d_model);

// How a model is cut.
struct CountModel {
  Index layers = 1, heads = 1;  // heads of each layer
  Index d_k = 0, kv_heads = 0;  // as in a recipe: 0: d_model / heads, as many as heads
  auto operator<=>(const CountModel&) const = default;
};
// Of one layer, with d_k apart from d_model / h: 1 to 16 heads of 2 to 32 numbers, at most twice d_model side by side;
// and those of d_model numbers with 1 or 2 sets of keys and values.
std::vector<CountModel> quality_grid(Index d_model);
// Of its layers; what stands around them is not counted.
LayerSizes sizes_of(const CountModel& model, Index d_model);

// One run: how the model is cut, how fast it learns, which random numbers it begins with and is shown.
struct CountKey : CountModel {
  double rate = 0.01;  // of the optimizer
  std::uint64_t seed = 0;
  auto operator<=>(const CountKey&) const = default;
};

// Which runs; each is what Run makes of the task's recipe with these changes.
struct CountsAsked {
  Index d_model = 32;
  std::vector<Index> heads = {1, 2, 4, 8, 16, 32};  // of one layer, ascending; each divides d_model
  Index deep = 4;                                   // and so many layers of one head each as well; 0: none
  std::vector<double> rates = {0.003, 0.01, 0.03};  // ascending; each model at each of them
  int seeds = 5;                                    // 0, 1, 2, ...
  int steps = 1500;
  int every = 25;                 // steps from one point of a curve to the next
  std::string task = "students";  // its key
  std::vector<CountModel> also = {};
  bool operator==(const CountsAsked&) const = default;

  std::vector<CountModel> models() const;  // of one layer by heads, then the deep one, then the others
  std::vector<CountKey> runs() const;      // seed by seed, within one by model, then rate
};

struct CountPoint {
  int step = 0;         // so many were taken
  double loss = 0;      // of the steps since the point before, each on its own batch before it was taken:
  double accuracy = 0;  // their mean
};

// A run as far as it has come.
struct CountRun : CountKey {
  int step = 0;
  bool done = false;
  bool diverged = false;  // loss or gradient were no numbers, so it ended early
  std::vector<CountPoint> curve;
  Scores scores;                             // of the last step's batch; when it is done, of the task's evaluation
  Array<float> patterns;                     // [layers heads n x n] of the example, those of one head below each other
  std::shared_ptr<const Document> document;  // with what was learned, when it is done; its sentence is the example
  double forward_seconds = 0;                // the least that its layers took on that sentence, when it is done
};
using CountRuns = std::map<CountKey, std::shared_ptr<const CountRun>>;  // those that have begun

// The sequence whose patterns are shown, the same for all runs: none of those that training sees.
struct CountExample {
  explicit CountExample(const Task& task);
  Batch batch;                      // of this one sequence
  std::vector<std::string> tokens;  // "Ann+plum+1:Bob+..."
  // Where a relation has its gold for a query; kNone: nowhere.
  Index gold(Index query, Index relation) const;
};

// Called from any thread, one call at a time: a run has come further.
using CountNews = std::function<void(std::shared_ptr<const CountRun> run)>;

// Trains the runs, each on one thread of the pool, those of a seed side by side, and gives them all. Of known those
// that are done are taken as they are. Progress counts steps that are trained. Every run is what Run gives by itself,
// to the same bits at any number of threads. Throws Stopped, within a step; InputError for sizes that no model has.
CountRuns train_head_counts(const CountsAsked& asked, const std::shared_ptr<const Task>& task, const CountRuns& known,
                            ThreadPool* pool, const CountNews& news, const Progress& progress);
// How many runs that takes: those that known does not have, or not to the end.
std::size_t runs_to_train(const CountsAsked& asked, const CountRuns& known);

// A question counts as answered where at least so many of its answers are right. Counting reaches
// about .3 of a question that no head looks up.
inline constexpr double kAnswered = 0.75;
Index answered(const CountRun& run);  // questions

}  // namespace hydra::learn

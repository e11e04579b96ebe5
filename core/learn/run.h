// A training run: a task, a model and a recipe, step by step. The same seed gives the same run, bit for bit, at any
// number of threads (of one instruction set: lanes/kernels.h).
#pragma once
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "core/lanes/executor.h"
#include "core/learn/optimizer.h"
#include "core/learn/task.h"

namespace hydra::learn {

// What a step, or a look at the evaluation's sequences, has shown.
struct Scores {
  double loss = 0;      // as the recipe weighs it, without what repels heads or opens gates
  double accuracy = 0;  // share of answers that are right
  std::vector<double> by_question, losses_by_question;
  std::vector<double> masses;      // [layers x heads x relations] mean attention to where gold says
  std::vector<double> alike;       // [layers] mean cosine of two heads' patterns; empty: not measured
  std::vector<double> importance;  // [layers x heads] mean |dL/dgate| of a sequence; empty: not measured
  double gradient_norm = 0;        // before clipping; of an evaluation 0

  bool is_finite() const;
};

// All that a run's next steps depend on, beside its task and recipe.
struct RunState {
  int step = 0;  // so many have been taken
  std::vector<float> parameters;
  Moments moments;
};

class Run {
 public:
  // The document must be trainable by the task: starting_document, or one that came of it. Throws InputError.
  Run(std::shared_ptr<const Task> task, Document document, Recipe recipe, std::uint64_t seed);
  ~Run();

  const Task& task() const { return *task_; }
  const Recipe& recipe() const { return recipe_; }
  std::uint64_t seed() const { return seed_; }
  int step() const { return state_.step; }
  const lanes::Compiled& compiled() const { return compiled_; }

  // Takes a step, and gives what it showed of the batch before it was taken. A step whose loss or gradient is no number
  // is not taken: the parameters stay as they were. Allocates nothing.
  const Scores& take_step(ThreadPool* pool);
  // Of the task's evaluation: so many sequences that training does not see.
  Scores evaluate(ThreadPool* pool, bool importance = false);
  static constexpr Index kEvaluated = 256;
  // Each head times its gate [layers x heads], in evaluations alone; empty: 1 each.
  void set_gates(std::vector<double> gates) { gates_ = std::move(gates); }

  const RunState& state() const;
  void go_to(RunState state);
  // The document with what was learned.
  Document document() const;

 private:
  void note(const lanes::Executor<float>& executor, Scores& scores) const;
  void draw(lanes::Executor<float>& executor, Batch& batch, Stream stream, int step, ThreadPool* pool);
  double add_gate_gradient(double squares);

  std::shared_ptr<const Task> task_;
  Document document_;
  Recipe recipe_;
  std::uint64_t seed_;
  lanes::Compiled compiled_;
  lanes::Executor<float> executor_, evaluator_;
  Batch batch_, evaluated_;
  bool evaluation_drawn_ = false;
  mutable RunState state_;
  std::vector<double> gates_;
  Scores last_;
};

}  // namespace hydra::learn

// A training run: a task, a model and a recipe, step by step. The same seed gives the same run, bit for bit, at any
// number of threads (of one instruction set: lanes/kernels.h).
#pragma once
#include <memory>
#include <vector>

#include "core/document/document.h"
#include "core/lanes/executor.h"
#include "core/learn/optimizer.h"
#include "core/learn/task.h"
#include "core/learn/tasks/held_out.h"

namespace hydra::learn {

// What a step, or a look at the evaluation's sequences, has shown.
struct Scores {
  double loss = 0;      // as the recipe weighs it, without what repels heads or opens gates
  double accuracy = 0;  // share of answers that are right
  std::vector<double> by_question, losses_by_question;
  std::vector<double> masses;      // [layers x heads x relations] mean attention to where gold says
  std::vector<double> alike;       // [layers] mean cosine of two heads' patterns; empty: not measured
  std::vector<double> importance;  // [layers x heads] mean |dL/dgate| of a sequence; empty: not measured
  std::vector<double> gates;       // [each layer's heads] of L0, when nothing is drawn; empty: there are none
  double gradient_norm = 0;        // before clipping; of an evaluation 0
  // [layers x heads x 4] of the gradient by the head's part of W_Q, W_K, W_V, W_O; empty: not measured
  std::vector<double> head_gradients;

  bool is_finite() const;
};

// All that a run's next steps depend on, besides its task and recipe.
struct RunState {
  int step = 0;  // so many have been taken
  std::vector<float> parameters;
  Moments moments;
};

// What runs of the task are compiled from. Throws InputError, with one sentence, for a document that it cannot train.
lanes::Shape shape_of(const Document& document, const TaskInfo& info, const Recipe& recipe);

class Run {
 public:
  // The document must be trainable by the task: starting_document, or one that came of it. Throws InputError. keeps:
  // all that a step makes can be looked at after it (opened_step.h).
  Run(std::shared_ptr<const Task> task, Document document, Recipe recipe, std::uint64_t seed, bool keeps = false);
  ~Run();

  const Task& task() const { return *task_; }
  const Recipe& recipe() const { return recipe_; }
  std::uint64_t seed() const { return seed_; }
  int step() const { return state_.step; }
  const lanes::Compiled& compiled() const { return compiled_; }

  // Takes a step, and gives what it showed of the batch before it was taken. A step whose loss or gradient is no number
  // is not taken: the parameters stay as they were. Allocates nothing, unless measures asks for how alike the heads'
  // patterns are and for the heads' gradients, which change no bit of what is learned.
  const Scores& take_step(ThreadPool* pool, bool measures = false);
  // On the first so many sequences of the task's evaluation, held out from training as far as the task has room for it
  // (held_out.h).
  Scores evaluate(ThreadPool* pool, bool importance = false, Index sequences = kEvaluated);
  static constexpr Index kEvaluated = 256;
  // The accuracy of the answers that the task tells apart (AnswerSplit), on the first so many held-out sequences that
  // have one; NaN: none has.
  double split_accuracy(ThreadPool* pool, Index sequences);
  const HeldOut& held_out(ThreadPool* pool, const Progress& progress = {});  // made when it is first asked for
  // What the model was trained on, where that is not this run's own: else all steps of its recipe, and those that were
  // taken beyond them. Before anything is evaluated.
  void set_training(std::vector<DrawnSteps> training) { training_ = std::move(training); }
  // Each head times its gate [layers x heads] from now on, in steps and in evaluations; empty: 1 each. At first those
  // of the document.
  void set_gates(std::vector<double> gates) { gates_ = std::move(gates); }
  const std::vector<double>& gates() const { return gates_; }

  // The last step's sequences, and what stands of them.
  const Batch& batch() const { return batch_; }
  const lanes::Executor<float>& executor() const { return executor_; }

  const RunState& state() const;
  const Moments& moments() const { return state_.moments; }
  std::shared_ptr<const std::vector<float>> snapshot() const;  // of the parameters, without copying the rest
  void go_to(RunState state);
  // The document with what was learned, said to be trained once a step was taken; L0 gates are gates of its heads, as
  // they are when nothing is drawn.
  Document document() const;

 private:
  lanes::Executor<float>::Request request_of(Index sequences) const;
  void note(const lanes::Executor<float>& executor, Scores& scores) const;
  void note_alike(const lanes::Totals& totals, Scores& scores) const;
  void note_gates(Scores& scores) const;
  void note_head_gradients();
  void load(lanes::Executor<float>& executor, const Batch& batch, Index sequence, int step);
  void draw(ThreadPool* pool);
  void load_split(ThreadPool* pool);
  double add_gate_gradient(double squares);

  std::shared_ptr<const Task> task_;
  Document document_;
  Recipe recipe_;
  std::uint64_t seed_;
  lanes::Compiled compiled_;
  lanes::Executor<float> executor_;
  Batch batch_;
  std::vector<DrawnSteps> training_;  // empty: its own
  std::unique_ptr<HeldOut> held_out_;
  std::unique_ptr<lanes::Executor<float>> evaluation_;  // made when it is first asked for
  mutable RunState state_;
  std::unique_ptr<lanes::Executor<float>> split_;  // of those that have such an answer, and ask nothing else
  Index split_sequences_ = 0;
  std::vector<double> gates_;
  Scores last_;
};

}  // namespace hydra::learn

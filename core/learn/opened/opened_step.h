// A step of training, opened: what its batch made, the derivatives of the batch's loss by all of it, and what the
// optimizer makes of them. Nothing is computed for it that the step itself does not compute: it is the same step, to
// the same bits, whose numbers stay.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/learn/run.h"

namespace hydra::learn {

// Of a parameter: as it is before the step; dL/dW, before clipping; what the optimizer remembers after it (of SGD the
// first alone); by how much the step changes it.
enum class Facet { before, gradient, first_moment, second_moment, change };

// All that a step is made of.
struct StepStart {
  std::shared_ptr<const Task> task;
  std::shared_ptr<const Document> document;  // of whose model state is; one that the recipe can train (run.h)
  Recipe recipe;
  std::uint64_t seed = 0;
  std::vector<double> gates;  // as Run::set_gates; those of the document are not looked at
  RunState state;             // before the step
};

class OpenedStep {
 public:
  OpenedStep(StepStart start, ThreadPool* pool);  // throws InputError

  const StepStart& start() const { return start_; }
  const Task& task() const { return run_.task(); }
  const Recipe& recipe() const { return start_.recipe; }
  const lanes::Compiled& compiled() const { return run_.compiled(); }
  int step() const { return start_.state.step; }  // so many were taken before it
  const Scores& scores() const { return scores_; }
  bool is_taken() const { return scores_.is_finite(); }  // else its loss or gradient is no number
  const RunState& after() const { return after_; }
  Rate rate() const;
  double clip() const;  // all gradients are multiplied by it

  // --- of the sequences

  Index sequences() const { return recipe().batch; }
  Index length(Index sequence) const { return run_.batch().length(sequence); }
  std::vector<std::string> tokens(Index sequence) const;
  // Row and column of every place where a relation of the task says that a row would have to look.
  std::vector<std::pair<Index, Index>> gold(Index sequence) const;
  Index layers() const { return static_cast<Index>(compiled().shape().layers.size()); }
  Index heads(Index layer) const { return layer_shape(layer).widths.heads; }
  bool sees(Index layer, Index head, Index query, Index key) const {
    return layer_shape(layer).mask_of(head).allows(query, key);
  }
  // A matrix of the sequence, as long as it is, of a head where the site has one; or the derivatives of the batch's
  // loss by it. What the mask hides is -inf of patterns. Empty where the model makes no such thing.
  Mat<float> of_sequence(Index sequence, const Site& site, bool derivative) const;

  // --- of the parameters

  const lanes::ParameterPlace* place(const Site& site) const { return compiled().find(site); }  // without a head
  Mat<float> of_parameter(const Site& site, Facet facet) const;
  float number(const Cell& cell, Facet facet) const;  // of a site without a head
  double moment_before(const Cell& cell, Facet facet) const;
  // A sequence's part of dL/dW[cell], as its sum over what the number is used for: left times right, at a token. A
  // number that stands alone (a row of a table, a bias) has left 1. False: what the number does is no such sum over
  // tokens (of a sink, a head's mixing, a gate of L0, how much of a second pattern is taken away).
  struct Use {
    Index token = 0;
    double left = 1, right = 0;
  };
  bool uses(const Cell& cell, Index sequence, std::vector<Use>& to) const;

 private:
  const lanes::LayerShape& layer_shape(Index layer) const {
    return compiled().shape().layers[static_cast<std::size_t>(layer)];
  }
  std::size_t at(const Cell& cell) const;
  double read(Index sequence, const lanes::Place& place, Index row, Index col) const {
    return static_cast<double>(run_.executor().number(sequence, place, row, col));
  }
  void add_uses(const lanes::Step& step, const lanes::ParameterPlace& place, const Cell& cell, Index sequence,
                std::vector<Use>& to) const;
  double normed(const lanes::Step& step, Index sequence, Index row, Index col) const;

  StepStart start_;
  Run run_;
  RunState after_;
  Scores scores_;
};

}  // namespace hydra::learn

// From what a model is to a plan that the kernels walk: the programs of its ends and of its layers (model/program.h), a
// step for each node, with a place for each value, gradient and parameter.
#pragma once
#include <memory>
#include <vector>

#include "core/lanes/plan.h"
#include "core/model/mask.h"
#include "core/model/program.h"
#include "core/weights/key_groups.h"
#include "core/weights/model_weights.h"

namespace hydra::lanes {

struct LayerShape {
  LayerSettings settings;
  LayerWidths widths;
  Index kv_heads = 1;
  std::vector<Index> kv_of;  // KeyGroups::of
  KeyGroups key_groups() const { return {widths.heads, kv_of.empty() ? widths.heads / kv_heads : 1, kv_of}; }
  Mask mask;          // with its window
  double factor = 1;  // of the scores: LayerInput::score_factor
  // By head, where one has something of its own (model/head_rule.h); else empty.
  std::vector<Mask> own_masks;
  std::vector<double> own_factors;
  std::vector<double> slopes;     // of ALiBi, by head; else empty
  std::vector<Quantity> without;  // biases that the model does not have
  const Mask& mask_of(Index head) const { return own_masks.empty() ? mask : own_masks[static_cast<std::size_t>(head)]; }
};

// Learned words in, and out of the last layer either answers to questions, or its result.
struct Shape {
  ModelSettings settings;
  ModelWidths widths;            // next_words: of each question
  bool with_bias = true;         // of the readout
  std::vector<Quantity> frozen;  // parameters of the model that stay as they are
  bool places_learn = false;     // else the rows of places are as they are; widths.places 0: there are none
  std::vector<LayerShape> layers;
  Index length = 1, slots = 1, questions = 1, relations = 0;
  bool some_are_shorter = false;
  bool square = false;    // the loss: mean square of the last layer's result less what is asked, not cross-entropy
  bool controls = false;  // heads are gated, dropped or noisy (plan.h: Controls)
  bool gates = false;     // and by L0 gates, whose logits are parameters of their own
  bool alike = false;     // the cosines of heads' patterns are measured, or are part of the loss
  bool keeps = false;     // every value and gradient has a place of its own, to be looked at afterwards: the same bits
};

// Where the numbers of a parameter stand: row after row. Places are Quantity::positions where they are no parameter,
// and L0 gates have no site: gate_logits is set.
struct ParameterPlace {
  Site site;
  Index rows = 0, cols = 0;
  Size at = 0;
  bool learns = true;
  bool gate_logits = false;
  Size count() const { return rows * cols; }
};

class Compiled {
 public:
  explicit Compiled(Shape shape);
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  const Shape& shape() const { return shape_; }
  const Plan& plan() const { return plan_; }
  const std::vector<ParameterPlace>& parameters() const { return parameters_; }
  const ParameterPlace* find(const Site& site) const;  // of the whole matrix
  const std::vector<double>& constants() const { return constants_; }
  // Where a value of a layer stands in a group's room, or its gradient; nowhere: it is not made.
  Value value_of(Quantity quantity, int layer) const;

 private:
  friend class Compiler;
  struct Made {
    Quantity quantity;
    int layer;
    Value value;
  };
  Shape shape_;
  Plan plan_;
  std::vector<Step> steps_;
  std::vector<ParameterPlace> parameters_;
  std::vector<double> constants_;
  std::vector<std::vector<unsigned char>> masks_;
  std::vector<std::vector<Size>> sets_;
  std::vector<Made> made_;
};

}  // namespace hydra::lanes

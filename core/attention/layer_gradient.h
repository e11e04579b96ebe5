// A layer carried out as its program says, node by node, each head on its own, and back: the derivatives of a number by
// everything that it was made of. The forward pass (forward.h, block.h) computes the same numbers by other means, fused
// and shared; tests hold one against the other. This one is for what asks for derivatives.
#pragma once
#include <map>

#include "core/attention/forward.h"
#include "core/model/program.h"

namespace hydra {

class LayerGradient {
 public:
  // Of the layer's weights, settings, mask, gates and painting; its X is not used. stream [n x d_model] enters.
  LayerGradient(LayerInput<double> input, MatIn<double> stream);

  // What a node makes, and the parameters; of a head where the quantity has heads or parts of them. Empty where the
  // layer has no such thing.
  MatView<double> value(Quantity quantity, int head = kNoHead) const;
  Quantity leaves() const { return program_.leaves; }

  // Goes back from the derivatives of a number by that quantity, which has no head [as it is]. Those of the time before
  // are forgotten.
  void back(Quantity from, MatIn<double> by);
  // By what a node makes, by X and by parameters: zeros where nothing depends on it. Of the last time.
  MatView<double> grad(Quantity quantity, int head = kNoHead) const;

 private:
  using Place = std::pair<Quantity, int>;

  // What a node works on, for a head or for none.
  struct At {
    const ProgramNode& node;
    int head;
  };
  int head_of(Quantity quantity, const At& at) const { return may_have_head(quantity) ? at.head : kNoHead; }
  MatView<double> operand(const At& at, std::size_t k) const;
  MatOut<double> by_operand(const At& at, std::size_t k);
  double gate(const At& at) const { return at.node.gated ? input_.gate(at.head) : 1; }
  NormKind norm_kind(const At& at) const { return norm_kind_of(at.node, input_.settings); }
  double norm_factor(const At& at) const { return norm_factor_of(at.node, input_.settings); }
  // The columns of queries or keys that meet in the scores.
  template <class Matrix>
  static Matrix half_of(const At& at, Matrix whole) {
    const Range cols = columns_of(at.node.half, whole.cols());
    return whole.middleCols(cols.first, cols.count());
  }

  template <class Task>
  void for_heads(const ProgramNode& node, const Task& task) const;
  Mat<double> made(const At& at) const;
  Mat<double> made_of_heads(const At& at) const;  // what has no head, of what has
  // Where queries or keys of all heads are normed as one row: those, side by side, a head's columns of them, and back.
  // Whose parts of a stage stand side by side: all heads', or one for each set of keys and values.
  KeyGroups parts_of(Quantity stage) const;
  Mat<double> side_by_side(Quantity stage) const;
  Index column_in_all(const At& at) const;
  void back_to_all(const At& at, MatIn<double> d);
  void back(const At& at, Mat<double>& d);
  void back_to_heads(const ProgramNode& node, MatIn<double> d);

  LayerInput<double> input_;  // of which X is the stream
  const LayerProgram& program_;
  std::map<Place, Mat<double>> values_, grads_;  // of what nodes make; grads of parameters whole
};

Array<double> in_double(const Array<float>& values);  // of an empty one, an empty one
// The layer in double but for its X, which is left out.
LayerInput<double> in_double(const LayerInput<float>& input);

}  // namespace hydra

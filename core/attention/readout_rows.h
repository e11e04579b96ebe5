// What follows the layers, over some rows: for a whole trace, and for a token that is written.
#pragma once
#include <cassert>
#include <cmath>
#include <optional>

#include "core/attention/readout.h"
#include "core/linalg/matmul.h"
#include "core/ops/activate.h"
#include "core/ops/linear.h"
#include "core/ops/norm.h"
#include "core/ops/softmax.h"

namespace hydra {

// c tanh(L / c), as Gemma 2 has it (Gemma Team 2024).
template <class S>
void cap_logits(const ProgramNode& node, const ModelSettings& settings, MatOut<S> out) {
  const double cap = settings.logit_cap;
  if (cap == 0 || node.result != Quantity::logits) return;
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j)
      out(i, j) = static_cast<S>(cap * std::tanh(static_cast<double>(out(i, j)) / cap));
}

// A node of what follows the layers, for some rows of its first operand; the others are parameters. Of a product the
// columns from `first` on, as many as out has.
template <class S>
void make_readout_rows(const ProgramNode& node, const ModelTrace<S>& model, MatIn<S> rows, MatOut<S> out,
                       Index first = 0) {
  static const Array<S> absent;
  static const Mat<S> none;
  const auto parameter = [&](std::size_t k) -> const Array<S>& {
    return k < node.reads().size() ? *field_of(model.weights, node.reads()[k]) : absent;
  };
  const auto whole = [&](std::size_t k) -> MatView<S> {
    if (!parameter(k)) return none;
    return *parameter(k);
  };
  switch (node.operation) {
    case Operation::norm:
      return norm::forward<S>(rows, whole(1), whole(2), model.settings.final_norm_kind,
                              model.settings.final_norm_epsilon, out);
    case Operation::linear:
      linear::forward<S>(rows, Factor<S>(parameter(1)).columns(first, out.cols()), linear::part_of(parameter(2), first, out.cols()),
                         out);
      return cap_logits<S>(node, model.settings, out);
    case Operation::outer:
      multiply_transposed<S>(rows, Factor<S>(parameter(1)).row_block(first, out.cols()), 1, out);
      if (parameter(2)) out.rowwise() += parameter(2)->row(0).segment(first, out.cols());
      return cap_logits<S>(node, model.settings, out);
    case Operation::activate:
      return activate::forward<S>(rows, none, model.settings.transform_activation, out);
    case Operation::softmax:
      return softmax::forward<S>(rows, out, std::nullopt, model.next_words.parts());
    default:
      assert(false);
  }
}

}  // namespace hydra

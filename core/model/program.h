// What is computed, as data: a list of nodes, each a quantity made by an operation of others. Whoever asks what a
// number is made of, or what it changes, walks the list.
#pragma once
#include <array>
#include <span>

#include "core/model/site.h"

namespace hydra {

enum class Operation {
  add,      // A + B, a row for each token; B may be one row for all. Of the heads' contributions: their sum
  linear,   // X W + b (ops/linear.h)
  outer,    // A B^T
  scores,   // (ops/scores.h)
  softmax,  // (ops/softmax.h)
  mix,      // (ops/mix.h)
  join,     // the heads' blocks side by side
  weigh,    // a_ij |v_j W|
  mean,     // over heads
};

struct ProgramNode {
  Quantity result;
  Operation operation;
  std::array<Quantity, 3> operands;
  int operand_count;
  bool gated = false;  // each head's part times its gate
  std::span<const Quantity> reads() const { return {operands.data(), static_cast<std::size_t>(operand_count)}; }
};

// A layer of multi-head attention, from top to bottom (attention.cpp).
std::span<const ProgramNode> attention_program();
// Which makes the quantity; there must be one.
const ProgramNode& node_of(Quantity quantity);
// Whether a trace keeps what the node makes, for each head, or for the layer.
inline bool is_kept(const ProgramNode& node, bool of_heads) {
  const QuantityRow::Scope scope = of_heads ? QuantityRow::Scope::head : QuantityRow::Scope::layer;
  return !is_asked(node.result) && entry_of(node.result).scope == scope;
}

}  // namespace hydra

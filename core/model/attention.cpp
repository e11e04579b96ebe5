// Multi-head attention: Vaswani et al. 2017, sections 3.2.1 and 3.2.2. What has a head is computed for each.
#include <algorithm>
#include <cassert>

#include "core/model/program.h"

namespace hydra {

namespace {

using enum Quantity;
using Op = Operation;

constexpr ProgramNode node(Quantity result, Operation operation, Quantity a) { return {result, operation, {a}, 1}; }
constexpr ProgramNode node(Quantity result, Operation operation, Quantity a, Quantity b) {
  return {result, operation, {a, b}, 2};
}
constexpr ProgramNode node(Quantity result, Operation operation, Quantity a, Quantity b, Quantity c) {
  return {result, operation, {a, b, c}, 3};
}
constexpr ProgramNode gated(ProgramNode node) {
  node.gated = true;
  return node;
}

constexpr std::array kAttention{
    node(X, Op::add, embedding, positions),  // of the first layer; of others what the layer before gives

    node(Q, Op::linear, X, W_Q, b_Q),
    node(K, Op::linear, X, W_K, b_K),
    node(V, Op::linear, X, W_V, b_V),  // rows may be set by hand

    node(scores, Op::scores, Q, K),
    node(attention, Op::softmax, scores),  // rows may be set by hand
    node(output, Op::mix, attention, V),

    gated(node(contribution, Op::linear, output, W_O)),
    gated(node(concat, Op::join, output)),
    node(Y, Op::add, contribution, b_O),

    // What is asked of them, and nothing else reads:
    node(query_key, Op::outer, W_Q, W_K),
    node(value_output, Op::linear, W_V, W_O),
    gated(node(value_weighted, Op::weigh, attention, V, W_O)),
    node(mean_attention, Op::mean, attention),
};

}  // namespace

std::span<const ProgramNode> attention_program() { return kAttention; }

const ProgramNode& node_of(Quantity quantity) {
  const auto found = std::find_if(kAttention.begin(), kAttention.end(),
                                  [&](const ProgramNode& node) { return node.result == quantity; });
  assert(found != kAttention.end());
  return *found;
}

}  // namespace hydra

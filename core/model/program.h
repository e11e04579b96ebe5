// What is computed, as data: a list of nodes, each a quantity made by an operation of others. Whoever asks what a
// number is made of, or what it changes, walks the list.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_settings.h"
#include "core/model/range.h"
#include "core/model/settings.h"
#include "core/model/site.h"

namespace hydra {

enum class Operation {
  add,       // A + B + ..., a row for each token; B may be one row for all. For the layer, of what heads have: its sum
  linear,    // X W + b (ops/linear.h)
  outer,     // A B^T
  scores,    // (ops/scores.h); of all columns of queries and keys, or of a half
  softmax,   // (ops/softmax.h)
  mix,       // (ops/mix.h)
  join,      // the heads' blocks side by side
  weigh,     // a_ij |v_j W|
  mean,      // over heads
  norm,      // (ops/norm.h)
  rotate,    // (ops/rotate.h)
  activate,  // (ops/activate.h)
  open,      // gates, from what the heads read (ops/gate.h)
  talk,      // of all heads' matrices, each times a weight of its own (ops/talk.h)
  lambda,    // of four rows (ops/differ.h)
  drop,      // some numbers 0, the others larger (ops/dropout.h)
  subtract,  // A - lambda B (ops/differ.h)
  multiply,  // A o B, B with as many columns, or one for each head (ops/gate.h)
  lookup,    // for each token a row of a table (ops/lookup.h)
};

// Of the columns of a head's queries and keys.
enum class Half { none, first, second };

struct ProgramNode {
  Quantity result;
  Operation operation;
  std::array<Quantity, 4> operands;
  int operand_count;
  bool gated = false;      // each head's part times its gate
  Half half = Half::none;  // of scores: the columns that meet; none: all
  std::span<const Quantity> reads() const { return {operands.data(), static_cast<std::size_t>(operand_count)}; }
};
constexpr ProgramNode node(Quantity result, Operation operation, Quantity a) { return {result, operation, {a}, 1}; }
constexpr ProgramNode node(Quantity result, Operation operation, Quantity a, Quantity b) {
  return {result, operation, {a, b}, 2};
}
constexpr ProgramNode node(Quantity result, Operation operation, Quantity a, Quantity b, Quantity c) {
  return {result, operation, {a, b, c}, 3};
}
constexpr ProgramNode node(Quantity result, Operation operation, Quantity a, Quantity b, Quantity c, Quantity d) {
  return {result, operation, {a, b, c, d}, 4};
}
// Of what `scores` are.
inline Half half_of_scores(const LayerSettings& settings) { return settings.differential ? Half::first : Half::none; }
// The columns of a half of d_k.
constexpr Range columns_of(Half half, Index d_k) {
  return {half == Half::second ? d_k / 2 : 0, half == Half::first ? d_k / 2 : d_k};
}

// Nodes from top to bottom.
struct NodeList {
  std::vector<ProgramNode> nodes;
  std::vector<Quantity> parameters;  // the weights and biases that are read, in the order of the enumeration

  bool makes(Quantity quantity) const;
  bool has(Quantity parameter) const;
  // Which makes the quantity; there must be one.
  const ProgramNode& node_of(Quantity quantity) const;
  // From the nodes.
  void find_parameters();
};

// Of a head: the queries and keys that meet in the scores, what softmax gives, and what W_O multiplies.
struct HeadEnds {
  Quantity asking = Quantity::Q, asked = Quantity::K, softmaxed = Quantity::attention, leaving = Quantity::output;
};

// A stage that is not kept passes by while a block of rows is made.
struct Passage {
  Quantity stage;
  Quantity in;                       // it stands in the place of that, which is made of it, or
  int buffer = -1;                   // in a buffer
  std::vector<Quantity> makes = {};  // what is wanted of it
};
struct Passages {
  std::vector<Passage> stages;
  int buffers = 0;
  const Passage* find(Quantity stage) const;  // null: does not pass
};
// On the way to stages that are wanted.
Passages passages_to(std::span<const ProgramNode> nodes, std::span<const Quantity> wanted);

// A layer.
struct LayerProgram : NodeList {
  Quantity read;    // by the heads: X, or what is made of it
  Quantity leaves;  // for the next layer
  // What stands before the heads, from what they read to Y, and what follows them. Of before and after each row is made
  // of its own.
  std::span<const ProgramNode> before, heads, after;
  // Of the heads: projections; what is made of their own rows; and from the scores on, what is made of the rows of all.
  std::span<const ProgramNode> projections, own, rest;
  HeadEnds ends;
  Passages passages;  // to what a large trace keeps
};
// What its operations cannot do: an operand that must be whole, and is not when it is read; or nothing.
std::string fault_of(const LayerProgram& program);
// Of a layer with these settings (block.cpp). Lives as long as the process.
const LayerProgram& program_of(const LayerSettings& settings);
// For tests of what goes through programs: while it lives, layers with these settings have other heads, from what those
// read to Y.
class OtherHeads {
 public:
  OtherHeads(const LayerSettings& settings, std::vector<ProgramNode> heads);
  ~OtherHeads();
  OtherHeads(const OtherHeads&) = delete;
  OtherHeads& operator=(const OtherHeads&) = delete;
  const LayerProgram& program() const { return program_; }

 private:
  LayerProgram program_;
};

// What stands around the layers: words in, words out (readout.cpp).
struct Lookups {
  bool words = false, positions = false;  // are rows of tables, which can be learned
  bool operator==(const Lookups&) const = default;
};
struct ModelProgram : NodeList {
  std::span<const ProgramNode> in;   // what stands before the layers; positions are read only where there are some
  std::span<const ProgramNode> out;  // what follows the layers; `stream` there is what leaves the last of them
};
const ModelProgram& program_of(const ModelSettings& settings, const Lookups& lookups);

// The parts of which a layer is made: nodes are appended.
using Nodes = std::vector<ProgramNode>;
// Multi-head attention, which reads that quantity and gives Y; and what is asked of it (attention.cpp).
void add_attention(Nodes& nodes, Quantity read, const LayerSettings& settings);
void add_asked(Nodes& nodes);
// The feed-forward part, which gives feed_forward (feed_forward.cpp).
void add_feed_forward(Nodes& nodes, Quantity read, const LayerSettings& settings);

// Whether a trace keeps what the node makes, for each head, or for the layer.
inline bool is_kept(const ProgramNode& node, bool of_heads) {
  const QuantityRow::Scope scope = of_heads ? QuantityRow::Scope::head : QuantityRow::Scope::layer;
  return !is_asked(node.result) && entry_of(node.result).scope == scope;
}
// Of a node of the model's ends, that is a norm.
inline NormKind norm_kind_of(const ProgramNode& node, const ModelSettings& settings) {
  return node.result == Quantity::X ? settings.embedding_norm_kind : settings.final_norm_kind;
}
inline double norm_epsilon_of(const ProgramNode& node, const ModelSettings& settings) {
  return node.result == Quantity::X ? settings.embedding_norm_epsilon : settings.final_norm_epsilon;
}
// Queries and keys are normalised without subtracting their means.
inline NormKind norm_kind_of(const ProgramNode& node, const LayerSettings& settings) {
  return has_head(node.result) ? NormKind::rms : settings.norm_kind;
}
// So many parts of each row, side by side, are normed each by itself.
inline Index norm_parts_of(const ProgramNode& node, const LayerSettings& settings) {
  const bool of_queries = node.result == Quantity::normed_Q || node.result == Quantity::normed_K;
  return of_queries && !norms_all_heads(settings) ? query_parts(settings) : 1;
}
// The node reads what all heads have, each to make its own.
inline bool hears_all_heads(const ProgramNode& node, const LayerSettings& settings) {
  return node.operation == Operation::talk ||
         (norms_all_heads(settings) && (node.result == Quantity::normed_Q || node.result == Quantity::normed_K));
}
// What the normalised row is multiplied by, besides its gain.
inline double norm_factor_of(const ProgramNode& node, const LayerSettings& settings) {
  return node.result == Quantity::normed_output ? 1 - settings.lambda_0 : 1;
}
// Of the product of a head's matrix with another: that has a column for each head, not one for each number.
inline bool has_column_of_head(const ProgramNode& node, Quantity operand) {
  return has_head(node.result) && entry_of(operand).cols == Axis::heads;
}
// Of what is added up: all heads' parts.
inline bool is_sum_over_heads(const ProgramNode& node) {
  return node.operation == Operation::add && has_head(node.reads()[0]) && !has_head(node.result);
}
// Of what the heads read into their dimensions: Q, K, V.
inline bool is_projection(const ProgramNode& node) {
  return node.operation == Operation::linear && !is_asked(node.result) && entry_of(node.result).cols == Axis::head_dim;
}

}  // namespace hydra

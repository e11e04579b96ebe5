// What explanations are written with: what an operation does, number by number, in words and terms.
#pragma once
#include <utility>

#include "core/explain/explain.h"
#include "core/model/program.h"
#include "core/text/wording.h"

namespace hydra::arithmetic {

using Steps = std::vector<Step>;

// A number without a place, and one of the trace.
Operand number(double value, std::string label);
Operand entry(const Trace& trace, const Cell& cell, std::string label);
void add_term(Step& step, std::string label, std::vector<Operand> factors);
Step step_of(std::string text, std::string formula, Combine combine = Combine::product);
// A step that states its result, without terms.
Step statement(std::string text, double result);

std::string index_label(Index k);        // "k = 3"
std::string element(Quantity quantity);  // a number of Q is q, of W_O w

// The number that is explained, and what stands around it.
struct Context {
  const Trace& trace;
  Cell cell;
  const LayerTrace<float>& layer;

  const LayerInput<float>& input() const { return layer.input; }
  // A matrix of the same layer, of the cell's head where it has one.
  Site operand_site(Quantity quantity) const { return operand_of(trace, cell.site, quantity); }
  std::string head() const { return wording("core:head", {{"number", cell.site.head + 1}}); }
  std::string query() const { return quoted(cell.row); }
  std::string key() const { return quoted(cell.col); }
  double gate(int head) const { return static_cast<double>(layer.input.gate(head)); }
  double value() const { return static_cast<double>(value_at(trace, cell)); }
  // Of the norm that makes the number: the layer's, or the model's.
  NormKind norm_kind(const ProgramNode& node) const {
    return of_model(node) ? norm_kind_of(node, trace.model.settings) : norm_kind_of(node, input().settings);
  }
  double norm_epsilon(const ProgramNode& node) const {
    return of_model(node) ? norm_epsilon_of(node, trace.model.settings) : input().settings.norm_epsilon;
  }
  Activation activation(const ProgramNode& node) const {
    return of_model(node) ? trace.model.settings.transform_activation : input().settings.activation;
  }
  bool by_hand() const { return is_painted(input().painted, cell.site.quantity, cell.site.head, cell.row); }

 private:
  // X by the layer's own program is a sum.
  static bool of_model(const ProgramNode& node) { return entry_of(node.result).scope == QuantityRow::Scope::model; }
  std::string quoted(Index token) const {
    return wording("core:quoted", {{"word", trace.tokens[static_cast<std::size_t>(token)]}});
  }
};

// Whose row: "the input of “it”", "the output of head 2 for “it”".
std::string row_of(const Context& context, Quantity quantity);
// A sum so far plus a number of the trace, which has a label and a letter.
Step plus_step(const Context& context, std::string text, std::string label, const char* letter, double sum,
               const Cell& added);

// The row of X that the number is of times its column of W, as a step.
Step row_times_column(const Context& context, const Site& X, const Site& W);

// Of what stands around the heads (arithmetic_around.cpp).
Steps explain_added(const Context& context, const ProgramNode& node);
Steps explain_norm(const Context& context, const ProgramNode& node);
Steps explain_activate(const Context& context, const ProgramNode& node);

// Of variants of attention (arithmetic_variants.cpp): a number of a pair, from both; a gate; what is multiplied by it;
// what a head takes of all heads; whether a weight is dropped; how much of a second pattern is taken away, and what is
// left of the first.
Steps explain_rotate(const Context& context, const ProgramNode& node);
Steps explain_open(const Context& context, const ProgramNode& node);
Steps explain_multiply(const Context& context, const ProgramNode& node);
Steps explain_talk(const Context& context, const ProgramNode& node);
Steps explain_drop(const Context& context, const ProgramNode& node);
Steps explain_lambda(const Context& context, const ProgramNode& node);
Steps explain_subtract(const Context& context, const ProgramNode& node);
// Squashed between cap and its opposite; what: "score".
void add_cap(Steps& steps, double cap, const std::string& what);
// Of words in and words out (arithmetic_readout.cpp).
Steps explain_lookup(const Context& context, const ProgramNode& node);
Steps explain_input(const Context& context, const ProgramNode& node);
Steps explain_final(const Context& context, const ProgramNode& node);
Steps explain_logit(const Context& context, const ProgramNode& node);
Steps explain_probability(const Context& context, const ProgramNode& node);
// The terms of the row of a times the row of b, or times its column.
void add_product(Step& step, const Trace& trace, const Cell& a, const Cell& b, bool by_rows);

// Of a pair that the mask hides: of scores, or of weights. And of a weight that is set by hand.
Steps hidden_score(const Context& context);
Steps hidden_weight(const Context& context);
Steps painted_weight(const Context& context);
// One of these, of what is made of scores or weights number by number; none where it is computed.
Steps not_computed(const Context& context);

// What the node computes at the cell, from numbers of its operands. mean_heads: explain.h.
Steps steps_of(const Context& context, const ProgramNode& node, const std::vector<bool>& mean_heads);

}  // namespace hydra::arithmetic

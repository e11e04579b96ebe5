// The arithmetic of variants of attention: rotary positions, gates of the output, talking heads, differential
// attention.
#include <array>

#include "core/analysis/arithmetic.h"
#include "core/ops/rotate.h"

namespace hydra::arithmetic {

Steps explain_rotate(const Context& c, const ProgramNode& node) {
  const rotate::Rotation by = rotate::rotation_of(c.input().settings, c.input().d_k());
  const Site X = c.beside(node.reads()[0]);
  const Index col = c.cell.col, pair = rotate::pair_of(by, col);
  const std::string letter = element(X.quantity), row = row_of(c, X.quantity);
  const auto at = [&](Index k) { return entry(c.trace, {X, c.cell.row, k}, letter + "[" + std::to_string(k) + "]"); };
  if (!rotate::is_turned(by, col)) {
    Step step = step_of(row + ": of its numbers " + std::to_string(by.width) + (by.part == 0 ? "" : " of each half") +
                            " are turned, and this one passes",
                        letter + "[" + std::to_string(col) + "]");
    add_term(step, "", {at(col)});
    return {step};
  }
  Step angle = step_of("the angle of pair " + std::to_string(pair) + " at place i = " + std::to_string(c.cell.row) +
                           ": later pairs turn more slowly",
                       "i base^(−2j/width)");
  add_term(angle, "",
           {number(static_cast<double>(c.cell.row), "i"), number(rotate::frequency(by, pair), "base^(−2j/width)")});
  Step cosine = step_of("its cosine", "cos(angle)", Combine::cosine);
  Step sine = step_of("its sine", "sin(angle)", Combine::sine);
  add_term(cosine, "", {number(angle.result, "angle")});
  add_term(sine, "", {number(angle.result, "angle")});
  const bool first = rotate::is_first(by, col);
  Step turned = step_of(row + ": the numbers of a pair turned together, as a point in the plane",
                        first ? "a cos(angle) − b sin(angle)" : "b cos(angle) + a sin(angle)");
  add_term(turned, first ? "a" : "b", {at(col), number(cosine.result, "cos")});
  add_term(turned, first ? "b" : "a",
           {at(rotate::partner_of(by, col)), number(first ? -sine.result : sine.result, first ? "−sin" : "sin")});
  return {std::move(angle), std::move(cosine), std::move(sine), std::move(turned)};
}

Steps explain_open(const Context& c, const ProgramNode& node) {
  Step dot = row_times_column(c, c.beside(node.reads()[0]), c.beside(node.reads()[1]));
  Step gate =
      step_of("bent, so that it lies between 0, which closes the gate, and 1", "1 / (1 + exp(−u))", Combine::sigmoid);
  add_term(gate, "", {number(dot.result, "u")});
  return {std::move(dot), std::move(gate)};
}

Steps explain_multiply(const Context& c, const ProgramNode& node) {
  const Site O = c.beside(node.reads()[0]), G = c.beside(node.reads()[1]);
  const bool of_head = c.input().settings.output_gate == OutputGate::head;
  Step step = step_of("what " + c.head() + " takes for " + c.query() +
                          (of_head ? ", times the gate of the head" : ", times the gate of this number"),
                      element(O.quantity) + " " + element(G.quantity));
  const Cell gate{G, c.cell.row, of_head ? c.cell.site.head : c.cell.col};
  add_term(
      step, "",
      {entry(c.trace, {O, c.cell.row, c.cell.col}, element(O.quantity)), entry(c.trace, gate, element(G.quantity))});
  return {std::move(step)};
}

Steps hidden_score(const Context& c) {
  return {statement(
      "the mask hides " + c.key() + " from " + c.query() + ": the score is −∞, so softmax gives it a weight of 0",
      c.value())};
}

Steps hidden_weight(const Context& c) {
  return {
      statement("the mask hides " + c.key() + " from " + c.query() + ": the score is −∞ and exp(−∞) = 0", c.value())};
}

Steps painted_weight(const Context& c) {
  return {statement("set by hand: the row of " + c.query() + " is painted, so its scores do not count", c.value())};
}

Steps explain_talk(const Context& c, const ProgramNode& node) {
  const bool scores = is_score(node.result);
  if (!c.input().mask.allows(c.cell.row, c.cell.col)) return scores ? hidden_score(c) : hidden_weight(c);
  if (c.by_hand()) return painted_weight(c);
  const Quantity own = node.reads()[0];
  const Site P = c.beside(node.reads()[1]);
  const int head = c.cell.site.head;
  const std::string letter = element(own);
  Step step = step_of(std::string("what ") + c.head() + " takes of the " + (scores ? "scores" : "weights") +
                          " that all heads have for " + c.query() + " and " + c.key(),
                      "Σᵢ " + symbol(P) + "[" + std::to_string(head) + ", i] " + letter + "[i]");
  for (int i = 0; i < static_cast<int>(c.layer.heads.size()); ++i)
    add_term(step, "head " + std::to_string(i + 1),
             {entry(c.trace, {P, head, i}, "p"),
              entry(c.trace, {{own, c.cell.site.layer, i}, c.cell.row, c.cell.col}, letter + subscript(i + 1))});
  return {std::move(step)};
}

Steps explain_lambda(const Context& c, const ProgramNode& node) {
  Steps steps;
  std::array<double, 2> made{};
  for (const std::size_t pair : {0, 1}) {
    const Site q = c.beside(node.reads()[2 * pair]), k = c.beside(node.reads()[2 * pair + 1]);
    Step dot = step_of("product of the two learned " + std::string(pair == 0 ? "first" : "second") + " rows",
                       "Σₖ " + symbol(q) + "[k] " + symbol(k) + "[k]");
    for (Index at = 0; at < shape_of(c.trace, q).cols; ++at) {
      const std::string index = "[" + std::to_string(at) + "]";
      add_term(dot, index_label(at),
               {entry(c.trace, {q, 0, at}, symbol(q) + index), entry(c.trace, {k, 0, at}, symbol(k) + index)});
    }
    Step above = step_of("its exponential: 1 before anything is learned", "exp(sum)", Combine::exponential);
    add_term(above, "", {number(dot.result, "sum")});
    made[pair] = above.result;
    steps.push_back(std::move(dot));
    steps.push_back(std::move(above));
  }
  Step lambda = step_of("the first less the second, plus what λ begins as", "exp₁ − exp₂ + λ₀");
  add_term(lambda, "first", {number(made[0], "exp₁")});
  add_term(lambda, "second", {number(-1, "−1"), number(made[1], "exp₂")});
  add_term(lambda, "begins as", {number(c.input().settings.lambda_0, "λ₀")});
  steps.push_back(std::move(lambda));
  return steps;
}

Steps explain_subtract(const Context& c, const ProgramNode& node) {
  if (!c.input().mask.allows(c.cell.row, c.cell.col)) return hidden_weight(c);
  if (c.by_hand()) return painted_weight(c);
  const Site first = c.beside(node.reads()[0]), second = c.beside(node.reads()[1]), lambda = c.beside(node.reads()[2]);
  Step step = step_of(
      "how much " + c.query() + " attends to " + c.key() + " by the first pattern, less λ times how much by the second",
      "a° − λ a'");
  add_term(step, "first", {entry(c.trace, {first, c.cell.row, c.cell.col}, "a°")});
  add_term(
      step, "second",
      {number(-1, "−1"), entry(c.trace, {lambda, 0, 0}, "λ"), entry(c.trace, {second, c.cell.row, c.cell.col}, "a'")});
  return {std::move(step)};
}

}  // namespace hydra::arithmetic

// The arithmetic of variants of attention: rotary positions, gates of the output.
#include "core/analysis/arithmetic.h"
#include "core/ops/rotate.h"

namespace hydra::arithmetic {

Steps explain_rotate(const Context& c, const ProgramNode& node) {
  const rotate::Rotation by = rotate::rotation_of(c.input().settings, c.input().d_k());
  const Site X = c.beside(node.reads()[0]);
  const Index col = c.cell.col, pair = rotate::pair_of(by, col);
  const std::string letter = element(X.quantity), row = row_of(c, X.quantity);
  const auto at = [&](Index k) { return entry(c.trace, {X, c.cell.row, k}, letter + "[" + std::to_string(k) + "]"); };
  if (col >= by.width) {
    Step step = step_of(row + ": of its numbers " + std::to_string(by.width) + " are turned, and this one passes",
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

}  // namespace hydra::arithmetic

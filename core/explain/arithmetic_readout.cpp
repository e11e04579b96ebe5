// The arithmetic of words in and words out: rows of tables, logits, probabilities.
#include "core/explain/arithmetic.h"

namespace hydra::arithmetic {

namespace {

std::string quoted(const std::string& word) { return wording("core:quoted", {{"word", word}}); }
std::string next_word(const Context& c, Index word) { return quoted(c.trace.model.next_words.name(word)); }

}  // namespace

// What enters a layer: the embedding, the positions and the types, or what the layer before gives; or what of them is
// normed.
Steps explain_input(const Context& c, const ProgramNode& node) {
  const Index row = c.cell.row, col = c.cell.col;
  if (const int layer = c.cell.site.layer; layer > 0) {
    const Site leaves = leaves_of(c.trace, layer - 1);
    Step step = step_of(wording("core:arithmetic.layer_before", {{"query", c.query()}}), symbol(leaves));
    add_term(step,
             leaves.quantity == Quantity::Y ? wording("core:arithmetic.output") : wording("core:arithmetic.stream"),
             {entry(c.trace, {leaves, row, col}, element(leaves.quantity))});
    return {step};
  }
  std::string formula;
  float sum = 0;
  std::vector<Site> parts;
  for (const Quantity part : node.reads()) {
    if (!exists(c.trace, {part})) continue;
    parts.push_back({part});
    formula += (formula.empty() ? "" : " + ") + symbol(parts.back());
    sum = parts.size() == 1 ? value_at(c.trace, {{part}, row, col}) : sum + value_at(c.trace, {{part}, row, col});
  }
  if (static_cast<double>(sum) != c.value()) return {statement(wording("core:arithmetic.by_hand"), c.value())};
  const bool placed = c.trace.positions != nullptr, typed = c.trace.types != nullptr;
  Step step = step_of(typed    ? wording("core:arithmetic.word_and_type", {{"query", c.query()}})
                      : placed ? wording("core:arithmetic.word_and_place", {{"query", c.query()}})
                               : wording("core:arithmetic.word_alone", {{"query", c.query()}}),
                      std::move(formula));
  for (const Site& part : parts)
    add_term(step,
             part.quantity == Quantity::embedding   ? wording("core:arithmetic.word")
             : part.quantity == Quantity::positions ? wording("core:arithmetic.position")
                                                    : wording("core:arithmetic.type"),
             {entry(c.trace, {part, row, col}, element(part.quantity))});
  return {step};
}

Steps explain_lookup(const Context& c, const ProgramNode& node) {
  const Site table = c.operand_site(node.reads()[0]);
  const bool of_word = node.result == Quantity::embedding, of_type = node.result == Quantity::types;
  const Index places = c.trace.model.weights.P.rows(), place = c.trace.model.place(c.cell.row);
  const std::span<const Index> rows = of_word   ? c.trace.model.rows.of(c.cell.row)
                                      : of_type ? c.trace.model.type_rows.of(c.cell.row)
                                                : std::span<const Index>(&place, place >= 0 && place < places ? 1 : 0);
  if (place < 0 && !of_word && !of_type) return {statement(wording("core:arithmetic.pad_place"), c.value())};
  if (rows.empty() && !of_word)
    return {statement(wording("core:arithmetic.past_positions", {{"query", c.query()}, {"n", places}}), c.value())};
  if (rows.empty()) return {statement(wording("core:arithmetic.unknown_word", {{"query", c.query()}}), c.value())};
  const auto label = [&](Index row) { return axis_label(c.trace, shape_of(c.trace, table).row_axis, row); };
  const bool sum = rows.size() > 1;
  const std::string col = axis_label(c.trace, Axis::model_dim, c.cell.col);
  Step step = step_of(sum       ? wording("core:arithmetic.lookup.words", {{"query", c.query()}})
                      : of_word ? wording("core:arithmetic.lookup.word", {{"query", c.query()}})
                      : of_type ? wording("core:arithmetic.lookup.type", {{"query", c.query()}})
                                : wording("core:arithmetic.lookup.place", {{"query", c.query()}}),
                      sum ? wording("core:arithmetic.lookup.words.formula", {{"table", symbol(table)}, {"column", col}})
                          : symbol(table) + "[" + label(rows[0]) + ", " + col + "]");
  for (const Index row : rows)
    add_term(step,
             sum       ? label(row)
             : of_word ? wording("core:arithmetic.word")
             : of_type ? wording("core:arithmetic.type")
                       : wording("core:arithmetic.position"),
             {entry(c.trace, {table, row, c.cell.col}, element(table.quantity))});
  return {step};
}

Steps explain_final(const Context& c, const ProgramNode& node) {
  const Site stream = c.operand_site(node.reads()[0]);
  const bool transformed = stream.quantity == Quantity::activated;
  Step step = step_of(transformed ? wording("core:arithmetic.final.transformed", {{"query", c.query()}})
                                  : wording("core:arithmetic.final", {{"query", c.query()}}),
                      symbol(stream));
  add_term(step, transformed ? wording("core:arithmetic.transformed") : wording("core:arithmetic.stream"),
           {entry(c.trace, {stream, c.cell.row, c.cell.col}, element(stream.quantity))});
  return {step};
}

Steps explain_logit(const Context& c, const ProgramNode& node) {
  const Site final = c.operand_site(node.reads()[0]), table = c.operand_site(node.reads()[1]);
  const bool tied = node.operation == Operation::outer;
  const std::string word = next_word(c, c.cell.col), col = std::to_string(c.cell.col);
  Step dot = step_of(
      tied ? wording("core:arithmetic.logit.tied", {{"row", row_of(c, final.quantity)}, {"word", word}})
           : wording("core:arithmetic.logit",
                     {{"row", row_of(c, final.quantity)}, {"table", symbol(table)}, {"word", word}}),
      "Σₖ " + element(final.quantity) + "[k] " + symbol(table) + (tied ? "[" + col + ", k]" : "[k, " + col + "]"));
  const Index line = c.cell.col;
  add_product(dot, c.trace, {final, c.cell.row, 0}, {table, line, line}, tied);
  Steps steps{std::move(dot)};
  if (const Site bias = c.operand_site(node.reads()[2]); exists(c.trace, bias))
    steps.push_back(plus_step(c, wording("core:arithmetic.logit.bias", {{"word", word}}),
                              wording("core:arithmetic.bias"), "b", steps.back().result, {bias, 0, c.cell.col}));
  if (const double cap = c.trace.model.settings.logit_cap; cap != 0)
    add_cap(steps, cap, wording("core:arithmetic.logit.name"));
  return steps;
}

// Softmax over the words, as answers to one question.
Steps explain_probability(const Context& c, const ProgramNode& node) {
  const Site logits = c.operand_site(node.reads()[0]);
  const MatView<float> l = values_of(c.trace, logits);
  const NextWords& next = c.trace.model.next_words;
  const Index question = next.question_of(c.cell.col), first = next.first_of(question),
              last = next.first_of(question + 1);
  Index top = first;
  for (Index j = first + 1; j < last; ++j)
    if (l(c.cell.row, j) > l(c.cell.row, top)) top = j;
  const auto logit = [&](Index j, std::string label) {
    return entry(c.trace, {logits, c.cell.row, j}, std::move(label));
  };
  Step numerator = step_of(wording("core:arithmetic.exponential_of_logit",
                                   {{"word", next_word(c, c.cell.col)}, {"largest", next_word(c, top)}}),
                           "exp(l − max)", Combine::exp_difference);
  add_term(numerator, "", {logit(c.cell.col, "l"), logit(top, "max")});
  Step sum = step_of(next.parts() == 1 ? wording("core:arithmetic.exponentials_of_words")
                                       : wording("core:arithmetic.exponentials_of_answers",
                                                 {{"question", quoted(next.questions.word(question))}}),
                     "Σⱼ exp(l[j] − max)", Combine::exp_difference);
  sum.terms.reserve(static_cast<std::size_t>(last - first));
  for (Index j = first; j < last; ++j)
    add_term(sum, next.word(j), {logit(j, "l[" + std::to_string(j) + "]"), logit(top, "max")});
  Step share = step_of(
      next.parts() == 1 ? wording("core:arithmetic.probability.next") : wording("core:arithmetic.probability.answer"),
      wording("core:arithmetic.probability.formula"), Combine::quotient);
  add_term(share, "", {number(numerator.result, "exp(l − max)"), number(sum.result, wording("core:arithmetic.sum"))});
  return {numerator, sum, share};
}

}  // namespace hydra::arithmetic

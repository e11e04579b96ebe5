#include "core/explain/arithmetic.h"

#include <cassert>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hydra::arithmetic {

Operand number(double value, std::string label) { return {value, std::move(label), std::nullopt}; }

Operand entry(const Trace& trace, const Cell& cell, std::string label) {
  return {static_cast<double>(value_at(trace, cell)), std::move(label), cell};
}

void add_term(Step& step, std::string label, std::vector<Operand> factors) {
  const double value = value_of(step.combine, factors);
  step.terms.push_back({std::move(label), std::move(factors), value});
  step.result += value;
}

Step step_of(std::string text, std::string formula, Combine combine) {
  return {std::move(text), std::move(formula), combine, {}, 0};
}

Step statement(std::string text, double result) { return {std::move(text), {}, Combine::product, {}, result}; }

std::string index_label(Index k) { return "k = " + std::to_string(k); }

std::string element(Quantity quantity) {
  const char letter = entry_of(quantity).letter[0];
  return std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
}

std::string row_of(const Context& c, Quantity quantity) {
  const std::string& row = wording(entry_of(quantity).row);
  return has_head(quantity)
             ? wording("core:arithmetic.row.of_head", {{"row", row}, {"head", c.head()}, {"query", c.query()}})
             : wording("core:arithmetic.row", {{"row", row}, {"query", c.query()}});
}

Step plus_step(const Context& c, std::string text, std::string label, const char* letter, double sum,
               const Cell& added) {
  Step step = step_of(std::move(text), wording("core:arithmetic.plus.formula", {{"symbol", symbol(added.site)}}));
  add_term(step, wording("core:arithmetic.sum"), {number(sum, wording("core:arithmetic.sum"))});
  add_term(step, std::move(label), {entry(c.trace, added, letter)});
  return step;
}

namespace {

// A row or a column of a matrix of the trace.
struct Line {
  Site matrix;
  bool is_row;
  Index fixed;  // the row of a row, the column of a column
  std::string letter;

  Operand at(const MatView<float>& values, Index k, const std::string& index) const {
    const Cell cell{matrix, is_row ? fixed : k, is_row ? k : fixed};
    return {static_cast<double>(values(cell.row, cell.col)), letter + ("[" + index + "]"), cell};
  }
};

Line row_at(const Site& matrix, Index i) { return {matrix, true, i, element(matrix.quantity)}; }
Line column_at(const Site& matrix, Index j) { return {matrix, false, j, element(matrix.quantity)}; }

// first: of the places, which a line's numbers are counted from 0 at.
void add_dot_product(Step& step, const Trace& trace, const Line& a, const Line& b, Index count, Index first = 0) {
  const MatView<float> a_values = values_of(trace, a.matrix), b_values = values_of(trace, b.matrix);
  step.terms.reserve(static_cast<std::size_t>(count));
  const Shape shape = shape_of(trace, a.matrix);
  const Axis axis = a.is_row ? shape.col_axis : shape.row_axis;
  const bool named = axis == Axis::model_dim && trace.layout;
  for (Index k = first; k < first + count; ++k) {
    const std::string index = named ? axis_label(trace, axis, k) : std::to_string(k);
    add_term(step, named ? index : index_label(k), {a.at(a_values, k, index), b.at(b_values, k, index)});
  }
}

// The factor of the gate, which is left out where it is 1.
Steps gated(Steps steps, const Context& c) {
  const double gate = c.gate(c.cell.site.head), sum = steps.back().result;
  if (gate == 1) return steps;
  Step step = step_of(wording("core:arithmetic.gate", {{"head", c.head()}}), wording("core:arithmetic.gate.formula"));
  add_term(step, "", {number(gate, "g"), number(sum, wording("core:arithmetic.sum"))});
  steps.push_back(std::move(step));
  return steps;
}

Steps explain_linear(const Context& c, const ProgramNode& node) {
  Steps steps{row_times_column(c, c.operand_site(node.reads()[0]), c.operand_site(node.reads()[1]))};
  for (const Quantity bias : node.reads().subspan(2))
    if (exists(c.trace, c.operand_site(bias)))
      steps.push_back(plus_step(c, wording("core:arithmetic.plus_bias"), wording("core:arithmetic.bias"), "b",
                                steps.back().result, {c.operand_site(bias), 0, c.cell.col}));
  return node.gated ? gated(std::move(steps), c) : steps;
}

std::string dot_product_in_words(const Context& c, Half half) {
  if (half == Half::none) return wording("core:arithmetic.dot_product", {{"query", c.query()}, {"key", c.key()}});
  return half == Half::first ? wording("core:arithmetic.dot_product.first", {{"query", c.query()}, {"key", c.key()}})
                             : wording("core:arithmetic.dot_product.second", {{"query", c.query()}, {"key", c.key()}});
}

// "m = 2^(−8·1/8) by the published code". Of a power of two heads the paper's formula and the code say the same.
std::string slope_in_words(const LayerInput<float>& input, Index head) {
  const AlibiSlopes rule = input.settings.alibi_slopes;
  const scores::Slope slope = scores::slope_of(head, input.heads, rule);
  const LayerShape shape{input.d_k(), true, input.heads};
  const std::string m = "m = 2^(−8·" + std::to_string(slope.step) + "/" + std::to_string(slope.of) + ")";
  if (!makes_difference(entry_of(LayerSetting::alibi_slopes), shape)) return m;
  return rule == AlibiSlopes::geometric ? wording("core:arithmetic.slope.geometric", {{"slope", m}})
                                        : wording("core:arithmetic.slope.interleaved", {{"slope", m}});
}

// Plus what the head has for the key's offset; those beyond the reach count as it.
Step plus_offset_bias(const Context& c, const Site& biases, double score) {
  const Index reach = c.input().settings.offset_reach, offset = c.cell.col - c.cell.row;
  const Cell bias{biases, c.cell.site.head, scores::place_of_offset(offset, reach)};
  const std::string label = offset_label(bias.col - reach);
  Step step =
      step_of(std::abs(offset) > reach
                  ? wording("core:arithmetic.offset_bias.beyond",
                            {{"key", c.key()}, {"head", c.head()}, {"offset", offset_label(offset)}, {"reach", label}})
                  : wording("core:arithmetic.offset_bias", {{"key", c.key()}, {"head", c.head()}, {"offset", label}}),
              wording("core:arithmetic.offset_bias.formula"));
  add_term(step, wording("core:arithmetic.score"), {number(score, wording("core:arithmetic.score"))});
  add_term(step, wording("core:arithmetic.bias"), {entry(c.trace, bias, "b[" + label + "]")});
  return step;
}

Steps explain_scores(const Context& c, const ProgramNode& node) {
  const LayerInput<float>& input = c.input();
  const Index head = c.cell.site.head;
  if (!input.mask_of(head).allows(c.cell.row, c.cell.col)) return hidden_score(c);
  const Site Q = c.operand_site(node.reads()[0]), K = c.operand_site(node.reads()[1]);
  const Range cols = columns_of(node.half, input.d_k());
  Steps steps{step_of(dot_product_in_words(c, node.half), "Σ_c q[c] k[c]")};
  add_dot_product(steps.back(), c.trace, row_at(Q, c.cell.row), row_at(K, c.cell.col), cols.count(), cols.first);
  const auto divide = [&](std::string text, std::string formula, double divisor, std::string label) {
    Step step = step_of(std::move(text), std::move(formula), Combine::quotient);
    add_term(step, "",
             {number(steps.back().result, wording("core:arithmetic.sum")), number(divisor, std::move(label))});
    steps.push_back(std::move(step));
  };
  const std::string width = std::to_string(cols.count());
  if (input.settings.scale)
    divide(node.half == Half::none ? wording("core:arithmetic.scaled", {{"width", width}})
                                   : wording("core:arithmetic.scaled.half", {{"width", width}}),
           node.half == Half::none ? wording("core:arithmetic.scaled.formula")
                                   : wording("core:arithmetic.scaled.half.formula"),
           std::sqrt(static_cast<double>(cols.count())), "√" + width);
  if (input.temperature_of(head) != 1)
    divide(input.temperature_of(head) == input.settings.temperature
               ? wording("core:arithmetic.temperature")
               : wording("core:arithmetic.temperature.own", {{"head", c.head()}}),
           wording("core:arithmetic.temperature.formula"), input.temperature_of(head), "T");
  if (input.slice_factor != 1) {
    Step step = step_of(wording("core:arithmetic.slice"), wording("core:arithmetic.slice.formula"));
    add_term(step, "",
             {number(steps.back().result, wording("core:arithmetic.score")),
              number(static_cast<double>(input.slice_factor), "f")});
    steps.push_back(std::move(step));
  }
  if (input.settings.soft_cap != 0) add_cap(steps, input.settings.soft_cap, wording("core:arithmetic.score"));
  if (input.settings.alibi) {
    const auto slope = static_cast<double>(input.score_rule(head).slope);
    Step nearer = step_of(wording("core:arithmetic.alibi",
                                  {{"key", c.key()}, {"head", c.head()}, {"slope", slope_in_words(input, head)}}),
                          wording("core:arithmetic.alibi.formula"));
    add_term(nearer, wording("core:arithmetic.score"), {number(steps.back().result, wording("core:arithmetic.score"))});
    add_term(nearer, wording("core:arithmetic.distance"),
             {number(-slope, "−m"), number(static_cast<double>(c.cell.row - c.cell.col), "i − j")});
    steps.push_back(std::move(nearer));
  }
  if (node.reads().size() > 2)
    steps.push_back(plus_offset_bias(c, c.operand_site(node.reads()[2]), steps.back().result));
  if (input.mask_of(head).may_hide()) {
    Step mask = step_of(wording("core:arithmetic.plus_mask", {{"query", c.query()}, {"key", c.key()}}),
                        wording("core:arithmetic.plus_mask.formula"));
    add_term(mask, wording("core:arithmetic.score"), {number(steps.back().result, wording("core:arithmetic.score"))});
    add_term(mask, wording("core:arithmetic.mask"), {number(0, "M")});
    steps.push_back(std::move(mask));
  }
  return steps;
}

Steps explain_softmax(const Context& c, const ProgramNode& node) {
  const Site scores = c.operand_site(node.reads()[0]);
  const MatView<float> s = values_of(c.trace, scores);
  Index top = 0;
  for (Index j = 1; j < s.cols(); ++j)
    if (s(c.cell.row, j) > s(c.cell.row, top)) top = j;
  if (s(c.cell.row, top) == -std::numeric_limits<float>::infinity())
    return {statement(c.cell.row < c.input().mask.first ? wording("core:arithmetic.blind.pad", {{"query", c.query()}})
                                                        : wording("core:arithmetic.blind", {{"query", c.query()}}),
                      c.value())};
  if (!c.input().mask_of(c.cell.site.head).allows(c.cell.row, c.cell.col)) return hidden_weight(c);
  if (c.by_hand()) return painted_weight(c);
  const auto score = [&](Index j, std::string label) {
    return entry(c.trace, {scores, c.cell.row, j}, std::move(label));
  };
  const std::optional<float> sink = c.input().sink(c.cell.site.head);
  const auto of_sink = [&](std::string label) {
    if (node.reads().size() == 1) return number(static_cast<double>(*sink), std::move(label));
    return entry(c.trace, {c.operand_site(node.reads()[1]), 0, c.cell.site.head}, std::move(label));
  };
  const bool sink_on_top = sink && *sink > s(c.cell.row, top);
  const auto largest = [&] { return sink_on_top ? of_sink("max") : score(top, "max"); };
  Step numerator = step_of(wording("core:arithmetic.exponential"), "exp(s − max)", Combine::exp_difference);
  add_term(numerator, "", {score(c.cell.col, "s"), largest()});
  Step sum = step_of(wording("core:arithmetic.exponentials", {{"query", c.query()}}), "Σⱼ exp(s[j] − max)",
                     Combine::exp_difference);
  for (Index j = 0; j < s.cols(); ++j)  // a key that the mask hides adds exp(-inf) = 0
    if (c.input().sees(c.cell.site.head, c.cell.row, j))
      add_term(sum, c.trace.tokens[static_cast<std::size_t>(j)], {score(j, "s[" + std::to_string(j) + "]"), largest()});
  if (sink) add_term(sum, wording("core:arithmetic.sink"), {of_sink(wording("core:arithmetic.sink")), largest()});
  Step weight = step_of(sink ? wording("core:arithmetic.share.with_sink") : wording("core:arithmetic.share"),
                        wording("core:arithmetic.share.formula"), Combine::quotient);
  add_term(weight, "", {number(numerator.result, "exp(s − max)"), number(sum.result, wording("core:arithmetic.sum"))});
  return {numerator, sum, weight};
}

Steps explain_mix(const Context& c, const ProgramNode& node) {
  const bool dropped = node.reads()[0] == Quantity::dropped_attention;
  Step step = step_of(wording(dropped ? "core:arithmetic.mix.dropped" : "core:arithmetic.mix", {{"query", c.query()}}),
                      (dropped ? "Σⱼ d[j] v[j, " : "Σⱼ a[j] v[j, ") + std::to_string(c.cell.col) + "]");
  add_dot_product(step, c.trace, row_at(c.operand_site(node.reads()[0]), c.cell.row),
                  column_at(c.operand_site(node.reads()[1]), c.cell.col), c.input().n());
  for (std::size_t j = 0; j < step.terms.size(); ++j) step.terms[j].label = c.trace.tokens[j];
  return {step};
}

Steps explain_join(const Context& c, const ProgramNode& node) {
  const int head = static_cast<int>(c.cell.col / c.input().d_k());
  const Index col = c.cell.col % c.input().d_k();
  const Site output{node.reads()[0], c.cell.site.layer, head};
  const bool gated = c.gate(head) != 1;
  Step step =
      step_of(gated ? wording("core:arithmetic.join.gated", {{"column", c.cell.col}, {"own", col}, {"head", head + 1}})
                    : wording("core:arithmetic.join", {{"column", c.cell.col}, {"own", col}, {"head", head + 1}}),
              symbol(output) + "[" + std::to_string(c.cell.row) + ", " + std::to_string(col) + "]");
  std::vector<Operand> factors{entry(c.trace, {output, c.cell.row, col}, "o")};
  if (gated) {
    step.formula = "g " + step.formula;
    factors.insert(factors.begin(), number(c.gate(head), "g" + subscript(head + 1)));
  }
  add_term(step, "", std::move(factors));
  return {step};
}

// The heads' contributions added up; what they are each, a row of the output of a head times its rows of a matrix, is
// together one product with that matrix.
Steps explain_sum(const Context& c, const ProgramNode& node) {
  const Quantity part = node.reads()[0];
  const Cell bias{c.operand_site(node.reads()[1]), 0, c.cell.col};
  const bool has_bias = exists(c.trace, bias.site);
  Step heads = step_of(wording("core:arithmetic.contributions"), "Σᵢ " + element(part) + "[i]");
  for (int i = 0; i < static_cast<int>(c.layer.heads.size()); ++i) {
    const Cell of_head{{part, c.cell.site.layer, i}, c.cell.row, c.cell.col};
    add_term(heads, wording("core:head", {{"number", i + 1}}),
             {entry(c.trace, of_head, element(part) + subscript(i + 1))});
  }
  if (has_bias) add_term(heads, wording("core:arithmetic.bias"), {entry(c.trace, bias, "b")});
  const std::string col = std::to_string(c.cell.col);
  Step product = step_of(wording("core:arithmetic.one_product", {{"column", col}}), "Σₖ c[k] W_O[k, " + col + "]");
  add_dot_product(product, c.trace, row_at(c.operand_site(Quantity::concat), c.cell.row),
                  column_at(c.operand_site(Quantity::W_O), c.cell.col), c.input().concat_width());
  Steps steps{std::move(heads), std::move(product)};
  if (has_bias)
    steps.push_back(plus_step(c, wording("core:arithmetic.plus_bias"), wording("core:arithmetic.bias"), "b",
                              steps.back().result, bias));
  return steps;
}

Steps explain_weigh(const Context& c, const ProgramNode& node) {
  const Site A = c.operand_site(node.reads()[0]), V = c.operand_site(node.reads()[1]),
             W = c.operand_site(node.reads()[2]);
  const RowVec<double> carried =
      values_of(c.trace, V).row(c.cell.col).cast<double>() * values_of(c.trace, W).cast<double>();
  Step squares = step_of(wording("core:arithmetic.carried", {{"key", c.key()}, {"matrix", symbol(W)}}), "Σₖ u[k]²");
  for (Index k = 0; k < carried.size(); ++k) {
    const Operand u = number(carried(k), "u[" + std::to_string(k) + "]");
    add_term(squares, index_label(k), {u, u});
  }
  Step length =
      step_of(wording("core:arithmetic.length"), wording("core:arithmetic.root.formula"), Combine::square_root);
  add_term(length, "", {number(squares.result, wording("core:arithmetic.sum"))});
  const double gate = c.gate(c.cell.site.head);
  Step product = step_of(gate == 1 ? wording("core:arithmetic.weigh", {{"query", c.query()}, {"key", c.key()}})
                                   : wording("core:arithmetic.weigh.gated", {{"query", c.query()}, {"key", c.key()}}),
                         "a ‖u‖");
  std::vector<Operand> factors{entry(c.trace, {A, c.cell.row, c.cell.col}, "a"), number(length.result, "‖u‖")};
  if (gate != 1) {
    product.formula = "g a ‖u‖";
    factors.insert(factors.begin(), number(gate, "g"));
  }
  add_term(product, "", std::move(factors));
  return {squares, length, product};
}

Steps explain_mean(const Context& c, const ProgramNode& node, const std::vector<bool>& heads) {
  Step sum = step_of(wording("core:arithmetic.head_weights"), "Σᵢ a[i]");
  const bool all = std::none_of(heads.begin(), heads.end(), [](bool chosen) { return chosen; });
  for (std::size_t i = 0; i < c.layer.heads.size(); ++i) {
    if (!all && !(i < heads.size() && heads[i])) continue;
    const Cell a{{node.reads()[0], c.cell.site.layer, static_cast<int>(i)}, c.cell.row, c.cell.col};
    add_term(sum, wording("core:head", {{"number", i + 1}}),
             {entry(c.trace, a, "a" + subscript(static_cast<Index>(i) + 1))});
  }
  Step mean = step_of(wording("core:arithmetic.mean_weight"), wording("core:arithmetic.mean_weight.formula"),
                      Combine::quotient);
  add_term(mean, "",
           {number(sum.result, wording("core:arithmetic.sum")), number(static_cast<double>(sum.terms.size()), "h")});
  return {sum, mean};
}

// Of weights alone, for features: what of a token meets what of another.
Steps explain_form(const Context& c, const ProgramNode& node) {
  const bool asks = node.operation == Operation::outer;
  const Site left = c.operand_site(node.reads()[0]), right = c.operand_site(node.reads()[1]);
  const Axis axis = shape_of(c.trace, c.cell.site).row_axis;
  const std::string row = axis_label(c.trace, axis, c.cell.row), col = axis_label(c.trace, axis, c.cell.col);
  Step step =
      step_of(!asks                             ? wording("core:arithmetic.writes", {{"row", row}, {"column", col}})
              : c.input().settings.differential ? wording("core:arithmetic.asks.both", {{"row", row}, {"column", col}})
                                                : wording("core:arithmetic.asks", {{"row", row}, {"column", col}}),
              std::string("Σₖ ") + entry_of(left.quantity).letter + "[" + row + ", k] " +
                  entry_of(right.quantity).letter + (asks ? "[" + col + ", k]" : "[k, " + col + "]"));
  add_dot_product(step, c.trace, row_at(left, c.cell.row),
                  asks ? row_at(right, c.cell.col) : column_at(right, c.cell.col), c.input().d_k());
  return {step};
}

}  // namespace

Step row_times_column(const Context& c, const Site& X, const Site& W) {
  const std::string col = std::to_string(c.cell.col);
  const bool rows_of_head = entry_of(W.quantity).rows == Axis::head_dim;
  Step dot = step_of(
      rows_of_head ? wording("core:arithmetic.row_times_column.of_head",
                             {{"row", row_of(c, X.quantity)}, {"column", col}, {"matrix", entry_of(W.quantity).letter}})
                   : wording("core:arithmetic.row_times_column",
                             {{"row", row_of(c, X.quantity)}, {"column", col}, {"matrix", description(W)}}),
      "Σₖ " + element(X.quantity) + "[k] " + symbol(W) + "[k, " + col + "]");
  add_product(dot, c.trace, {X, c.cell.row, 0}, {W, 0, c.cell.col}, false);
  return dot;
}

void add_product(Step& step, const Trace& trace, const Cell& a, const Cell& b, bool by_rows) {
  add_dot_product(step, trace, row_at(a.site, a.row), by_rows ? row_at(b.site, b.row) : column_at(b.site, b.col),
                  shape_of(trace, a.site).cols);
}

Steps steps_of(const Context& c, const ProgramNode& node, const std::vector<bool>& mean_heads) {
  if (is_form(node.result)) return explain_form(c, node);
  if (node.result == Quantity::logits) return explain_logit(c, node);
  if (node.result == Quantity::probabilities) return explain_probability(c, node);
  switch (node.operation) {
    case Operation::add:
      return is_sum_over_heads(node)                                         ? explain_sum(c, node)
             : node.result == Quantity::final                                ? explain_final(c, node)
             : node.result == Quantity::X || node.result == Quantity::summed ? explain_input(c, node)
                                                                             : explain_added(c, node);
    case Operation::norm:
      return explain_norm(c, node);
    case Operation::open:
      return explain_open(c, node);
    case Operation::multiply:
      return explain_multiply(c, node);
    case Operation::talk:
      return explain_talk(c, node);
    case Operation::drop:
      return explain_drop(c, node);
    case Operation::lambda:
      return explain_lambda(c, node);
    case Operation::subtract:
      return explain_subtract(c, node);
    case Operation::rotate:
      return explain_rotate(c, node);
    case Operation::activate:
      return explain_activate(c, node);
    case Operation::linear:
    case Operation::outer:
      return explain_linear(c, node);
    case Operation::scores:
      return explain_scores(c, node);
    case Operation::softmax:
      return explain_softmax(c, node);
    case Operation::mix:
      return explain_mix(c, node);
    case Operation::join:
      return explain_join(c, node);
    case Operation::weigh:
      return explain_weigh(c, node);
    case Operation::mean:
      return explain_mean(c, node, mean_heads);
    case Operation::lookup:
      return explain_lookup(c, node);
  }
  assert(false);
  return {};
}

}  // namespace hydra::arithmetic

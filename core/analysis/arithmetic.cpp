#include "core/analysis/arithmetic.h"

#include <cassert>
#include <cctype>
#include <cmath>
#include <limits>

#include "core/text/wording.h"

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
  const std::string row = "the " + wording(entry_of(quantity).row);
  return has_head(quantity) ? row + " of " + c.head() + " for " + c.query() : row + " of " + c.query();
}

Step plus_step(const Context& c, std::string text, const char* label, const char* letter, double sum,
               const Cell& added) {
  Step step = step_of(std::move(text), "sum + " + symbol(added.site));
  add_term(step, "sum", {number(sum, "sum")});
  add_term(step, label, {entry(c.trace, added, letter)});
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
  Step step = step_of("times the gate of " + c.head(), "g sum");
  add_term(step, "", {number(gate, "g"), number(sum, "sum")});
  steps.push_back(std::move(step));
  return steps;
}

Steps explain_linear(const Context& c, const ProgramNode& node) {
  Steps steps{row_times_column(c, c.beside(node.reads()[0]), c.beside(node.reads()[1]))};
  for (const Quantity bias : node.reads().subspan(2))
    if (exists(c.trace, c.beside(bias)))
      steps.push_back(plus_step(c, "plus the bias", "bias", "b", steps.back().result, {c.beside(bias), 0, c.cell.col}));
  return node.gated ? gated(std::move(steps), c) : steps;
}

const char* of_half(Half half) {
  return half == Half::none ? "" : half == Half::first ? ", of their first halves" : ", of their second halves";
}

// "m = 2^(−8·1/8) by the published code". Of a power of two heads the paper's formula and the code say the same.
std::string slope_in_words(const LayerInput<float>& input, Index head) {
  const AlibiSlopes rule = input.settings.alibi_slopes;
  const scores::Slope slope = scores::slope_of(head, input.heads, rule);
  const LayerShape shape{input.d_k(), true, input.heads};
  return "m = 2^(−8·" + std::to_string(slope.step) + "/" + std::to_string(slope.of) + ")" +
         (!makes_difference(entry_of(LayerSetting::alibi_slopes), shape) ? ""
          : rule == AlibiSlopes::geometric                               ? " by the paper's formula"
                                                                         : " by the published code");
}

Steps explain_scores(const Context& c, const ProgramNode& node) {
  const LayerInput<float>& input = c.input();
  if (!input.mask.allows(c.cell.row, c.cell.col)) return hidden_score(c);
  const Site Q = c.beside(node.reads()[0]), K = c.beside(node.reads()[1]);
  const Range cols = columns_of(node.half, input.d_k());
  Steps steps{step_of("dot product of the query of " + c.query() + " with the key of " + c.key() + of_half(node.half),
                      "Σ_c q[c] k[c]")};
  add_dot_product(steps.back(), c.trace, row_at(Q, c.cell.row), row_at(K, c.cell.col), cols.count(), cols.first);
  const auto divide = [&](std::string text, std::string formula, double divisor, std::string label) {
    Step step = step_of(std::move(text), std::move(formula), Combine::quotient);
    add_term(step, "", {number(steps.back().result, "sum"), number(divisor, std::move(label))});
    steps.push_back(std::move(step));
  };
  const std::string width = std::to_string(cols.count());
  if (input.settings.scale)
    divide("scaled, so that the spread of scores does not grow with " +
               std::string(node.half == Half::none ? "d_k = " : "d_k / 2 = ") + width,
           node.half == Half::none ? "sum / √d_k" : "sum / √(d_k / 2)", std::sqrt(static_cast<double>(cols.count())),
           "√" + width);
  if (input.settings.temperature != 1)
    divide("divided by the temperature: above 1 flattens the pattern, below 1 sharpens it", "score / T",
           input.settings.temperature, "T");
  if (input.slice_factor != 1) {
    Step step =
        step_of("times the factor that keeps the spread of scores while each head sees its slice only", "score f");
    add_term(step, "", {number(steps.back().result, "score"), number(static_cast<double>(input.slice_factor), "f")});
    steps.push_back(std::move(step));
  }
  if (const double cap = input.settings.soft_cap; cap != 0) {
    Step share = step_of("divided by the cap", "score / c", Combine::quotient);
    add_term(share, "", {number(steps.back().result, "score"), number(cap, "c")});
    steps.push_back(std::move(share));
    Step bent = step_of("bent, so that it stays between −1 and 1", "tanh(score / c)", Combine::hyperbolic_tangent);
    add_term(bent, "", {number(steps.back().result, "score / c")});
    Step capped = step_of("times the cap: no score exceeds it", "c tanh(score / c)");
    add_term(capped, "", {number(cap, "c"), number(bent.result, "tanh")});
    steps.push_back(std::move(bent));
    steps.push_back(std::move(capped));
  }
  if (input.settings.alibi) {
    const auto slope = static_cast<double>(input.score_rule(c.cell.site.head).slope);
    Step nearer = step_of("less how far " + c.key() + " is away, times the slope of " + c.head() + ", " +
                              slope_in_words(input, c.cell.site.head),
                          "score − m (i − j)");
    add_term(nearer, "score", {number(steps.back().result, "score")});
    add_term(nearer, "distance", {number(-slope, "−m"), number(static_cast<double>(c.cell.row - c.cell.col), "i − j")});
    steps.push_back(std::move(nearer));
  }
  if (input.mask.kind != Mask::Kind::none) {
    Step mask = step_of("plus the mask: " + c.query() + " may attend to " + c.key(), "score + M");
    add_term(mask, "score", {number(steps.back().result, "score")});
    add_term(mask, "mask", {number(0, "M")});
    steps.push_back(std::move(mask));
  }
  return steps;
}

Steps explain_softmax(const Context& c, const ProgramNode& node) {
  const Site scores = c.beside(node.reads()[0]);
  const MatView<float> s = values_of(c.trace, scores);
  Index top = 0;
  for (Index j = 1; j < s.cols(); ++j)
    if (s(c.cell.row, j) > s(c.cell.row, top)) top = j;
  if (s(c.cell.row, top) == -std::numeric_limits<float>::infinity())
    return {statement("the mask hides every key from " + c.query() + ": nothing to attend to, so all its weights are 0",
                      c.value())};
  if (!c.input().mask.allows(c.cell.row, c.cell.col)) return hidden_weight(c);
  if (c.by_hand()) return painted_weight(c);
  const auto score = [&](Index j, std::string label) {
    return entry(c.trace, {scores, c.cell.row, j}, std::move(label));
  };
  const std::optional<float> sink = c.input().sink(c.cell.site.head);
  const auto of_sink = [&](std::string label) {
    if (node.reads().size() == 1) return number(static_cast<double>(*sink), std::move(label));
    return entry(c.trace, {c.beside(node.reads()[1]), 0, c.cell.site.head}, std::move(label));
  };
  const bool sink_on_top = sink && *sink > s(c.cell.row, top);
  const auto largest = [&] { return sink_on_top ? of_sink("max") : score(top, "max"); };
  Step numerator = step_of("exp of the score, less the row's largest so that nothing overflows", "exp(s − max)",
                           Combine::exp_difference);
  add_term(numerator, "", {score(c.cell.col, "s"), largest()});
  Step sum = step_of("the same for every key that " + c.query() + " looks at, summed", "Σⱼ exp(s[j] − max)",
                     Combine::exp_difference);
  for (Index j = 0; j < s.cols(); ++j)
    add_term(sum, c.trace.tokens[static_cast<std::size_t>(j)], {score(j, "s[" + std::to_string(j) + "]"), largest()});
  if (sink) add_term(sum, "sink", {of_sink("sink"), largest()});
  Step weight = step_of(sink ? "its share: with what the sink takes, the weights of a row sum to 1"
                             : "its share: the weights of a row sum to 1",
                        "exp(s − max) / sum", Combine::quotient);
  add_term(weight, "", {number(numerator.result, "exp(s − max)"), number(sum.result, "sum")});
  return {numerator, sum, weight};
}

Steps explain_mix(const Context& c, const ProgramNode& node) {
  Step step = step_of("the values of all tokens, weighted by how much " + c.query() + " attends to each",
                      "Σⱼ a[j] v[j, " + std::to_string(c.cell.col) + "]");
  add_dot_product(step, c.trace, row_at(c.beside(node.reads()[0]), c.cell.row),
                  column_at(c.beside(node.reads()[1]), c.cell.col), c.input().n());
  for (std::size_t j = 0; j < step.terms.size(); ++j) step.terms[j].label = c.trace.tokens[j];
  return {step};
}

Steps explain_join(const Context& c, const ProgramNode& node) {
  const int head = static_cast<int>(c.cell.col / c.input().d_k());
  const Index col = c.cell.col % c.input().d_k();
  const Site output{node.reads()[0], c.cell.site.layer, head};
  Step step = step_of("column " + std::to_string(c.cell.col) + " of C is column " + std::to_string(col) +
                          " of the output of head " + std::to_string(head + 1),
                      symbol(output) + "[" + std::to_string(c.cell.row) + ", " + std::to_string(col) + "]");
  std::vector<Operand> factors{entry(c.trace, {output, c.cell.row, col}, "o")};
  if (c.gate(head) != 1) {
    step.text += ", times its gate";
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
  const Cell bias{c.beside(node.reads()[1]), 0, c.cell.col};
  const bool has_bias = exists(c.trace, bias.site);
  Step heads = step_of("every head adds its own contribution", "Σᵢ " + element(part) + "[i]");
  for (int i = 0; i < static_cast<int>(c.layer.heads.size()); ++i) {
    const Cell of_head{{part, c.cell.site.layer, i}, c.cell.row, c.cell.col};
    add_term(heads, "head " + std::to_string(i + 1), {entry(c.trace, of_head, element(part) + subscript(i + 1))});
  }
  if (has_bias) add_term(heads, "bias", {entry(c.trace, bias, "b")});
  const std::string col = std::to_string(c.cell.col);
  Step product = step_of(
      "the same number read as one product: the outputs of all heads side by side, times column " + col + " of W_O",
      "Σₖ c[k] W_O[k, " + col + "]");
  add_dot_product(product, c.trace, row_at(c.beside(Quantity::concat), c.cell.row),
                  column_at(c.beside(Quantity::W_O), c.cell.col), c.input().concat_width());
  Steps steps{std::move(heads), std::move(product)};
  if (has_bias) steps.push_back(plus_step(c, "plus the bias", "bias", "b", steps.back().result, bias));
  return steps;
}

Steps explain_weigh(const Context& c, const ProgramNode& node) {
  const Site A = c.beside(node.reads()[0]), V = c.beside(node.reads()[1]), W = c.beside(node.reads()[2]);
  const RowVec<double> carried =
      values_of(c.trace, V).row(c.cell.col).cast<double>() * values_of(c.trace, W).cast<double>();
  Step squares =
      step_of("what " + c.key() + " would carry to the output is v " + symbol(W) + ": its squared length", "Σₖ u[k]²");
  for (Index k = 0; k < carried.size(); ++k) {
    const Operand u = number(carried(k), "u[" + std::to_string(k) + "]");
    add_term(squares, index_label(k), {u, u});
  }
  Step length = step_of("its length", "√sum", Combine::square_root);
  add_term(length, "", {number(squares.result, "sum")});
  Step product = step_of("times how much " + c.query() + " attends to " + c.key(), "a ‖u‖");
  std::vector<Operand> factors{entry(c.trace, {A, c.cell.row, c.cell.col}, "a"), number(length.result, "‖u‖")};
  if (const double gate = c.gate(c.cell.site.head); gate != 1) {
    product.text += ", and the head's gate";
    product.formula = "g a ‖u‖";
    factors.insert(factors.begin(), number(gate, "g"));
  }
  add_term(product, "", std::move(factors));
  return {squares, length, product};
}

Steps explain_mean(const Context& c, const ProgramNode& node, const std::vector<bool>& heads) {
  Step sum = step_of("the weight that each head gives, summed", "Σᵢ a[i]");
  const bool all = std::none_of(heads.begin(), heads.end(), [](bool chosen) { return chosen; });
  for (std::size_t i = 0; i < c.layer.heads.size(); ++i) {
    if (!all && !(i < heads.size() && heads[i])) continue;
    const Cell a{{node.reads()[0], c.cell.site.layer, static_cast<int>(i)}, c.cell.row, c.cell.col};
    add_term(sum, "head " + std::to_string(i + 1), {entry(c.trace, a, "a" + subscript(static_cast<Index>(i) + 1))});
  }
  Step mean = step_of("divided by the number of heads", "sum / h", Combine::quotient);
  add_term(mean, "", {number(sum.result, "sum"), number(static_cast<double>(sum.terms.size()), "h")});
  return {sum, mean};
}

// Of weights alone, for features: what of a token meets what of another.
Steps explain_form(const Context& c, const ProgramNode& node) {
  const bool asks = node.operation == Operation::outer;
  const Site left = c.beside(node.reads()[0]), right = c.beside(node.reads()[1]);
  const Axis axis = shape_of(c.trace, c.cell.site).row_axis;
  const std::string row = axis_label(c.trace, axis, c.cell.row), col = axis_label(c.trace, axis, c.cell.col);
  Step step =
      step_of(asks ? "what a query with " + row + " adds to the score of a key with " + col +
                         (c.input().settings.differential ? ", to both scores together (before they are divided)"
                                                          : " (before the division by √d_k)")
                   : "what an attended token with " + row + " writes to " + col + " of the output",
              std::string("Σₖ ") + entry_of(left.quantity).letter + "[" + row + ", k] " +
                  entry_of(right.quantity).letter + (asks ? "[" + col + ", k]" : "[k, " + col + "]"));
  add_dot_product(step, c.trace, row_at(left, c.cell.row),
                  asks ? row_at(right, c.cell.col) : column_at(right, c.cell.col), c.input().d_k());
  return {step};
}

// What enters a layer: the embedding and the positions, or what the layer before gives.
Steps explain_input(const Context& c, const ProgramNode& node) {
  const Index row = c.cell.row, col = c.cell.col;
  if (const int layer = c.cell.site.layer; layer > 0) {
    const Site leaves = leaves_of(c.trace, layer - 1);
    Step step = step_of("what the layer before gives for " + c.query(), symbol(leaves));
    add_term(step, leaves.quantity == Quantity::Y ? "output" : "stream",
             {entry(c.trace, {leaves, row, col}, element(leaves.quantity))});
    return {step};
  }
  const float word = (*c.trace.embedding)(row, col);
  const float position = c.trace.positions ? (*c.trace.positions)(row, col) : 0.0f;
  if (word + position != (*c.trace.X)(row, col)) return {statement("set by hand: an input number", c.value())};
  Step step = step_of("what the word " + c.query() + " is, plus where it stands", "E + P");
  if (!c.trace.positions) step = step_of("the embedding of the word " + c.query() + "; no positions are added", "E");
  add_term(step, "word", {entry(c.trace, {{node.reads()[0]}, row, col}, "e")});
  if (c.trace.positions) add_term(step, "position", {entry(c.trace, {{node.reads()[1]}, row, col}, "p")});
  return {step};
}

}  // namespace

Step row_times_column(const Context& c, const Site& X, const Site& W) {
  const std::string col = std::to_string(c.cell.col);
  const bool rows_of_head = entry_of(W.quantity).rows == Axis::head_dim;
  Step dot =
      step_of(row_of(c, X.quantity) + " times column " + col + " of " +
                  (rows_of_head ? "its rows of " + std::string(entry_of(W.quantity).letter) : "the " + description(W)),
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
      return has_head(node.reads()[0])        ? explain_sum(c, node)
             : node.result == Quantity::X     ? explain_input(c, node)
             : node.result == Quantity::final ? explain_final(c, node)
                                              : explain_added(c, node);
    case Operation::norm:
      return explain_norm(c, node);
    case Operation::open:
      return explain_open(c, node);
    case Operation::multiply:
      return explain_multiply(c, node);
    case Operation::talk:
      return explain_talk(c, node);
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

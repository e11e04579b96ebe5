#include "core/analysis/explain.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace hydra {

namespace {

std::string quoted(const Trace& trace, Index token) {
  return "“" + trace.tokens[static_cast<std::size_t>(token)] + "”";
}

std::string index_label(Index k) { return "k = " + std::to_string(k); }

Operand number(double value, std::string label) { return {value, std::move(label), std::nullopt}; }

Operand entry(const Trace& trace, const Cell& cell, std::string label) {
  return {static_cast<double>(value_at(trace, cell)), std::move(label), cell};
}

void add_term(Step& step, std::string label, std::vector<Operand> factors) {
  const double value = value_of(step.form, factors);
  step.terms.push_back({std::move(label), std::move(factors), value});
  step.result += value;
}

Step step_of(std::string text, std::string formula, Form form = Form::product) {
  return {std::move(text), std::move(formula), form, {}, 0};
}

// A step that states its result, without terms.
Step statement(std::string text, double result) { return {std::move(text), {}, Form::product, {}, result}; }

// A row or a column of a matrix of the trace.
struct Line {
  Site matrix;
  bool is_row;
  Index fixed;  // the row of a row, the column of a column
  const char* letter;

  Operand at(const MatView<float>& values, Index k, const std::string& index) const {
    const Cell cell{matrix, is_row ? fixed : k, is_row ? k : fixed};
    return {static_cast<double>(values(cell.row, cell.col)), letter + ("[" + index + "]"), cell};
  }
};

void add_dot_product(Step& step, const Trace& trace, const Line& a, const Line& b, Index count) {
  const MatView<float> a_values = values_of(trace, a.matrix), b_values = values_of(trace, b.matrix);
  step.terms.reserve(static_cast<std::size_t>(count));
  const Shape shape = shape_of(trace, a.matrix);
  const Axis axis = a.is_row ? shape.col_axis : shape.row_axis;
  const bool named = axis == Axis::model_dim && trace.layout;
  for (Index k = 0; k < count; ++k) {
    const std::string index = named ? axis_label(trace, axis, k) : std::to_string(k);
    add_term(step, named ? index : index_label(k), {a.at(a_values, k, index), b.at(b_values, k, index)});
  }
}

// Everything one explanation is written with.
struct Context {
  const Trace& trace;
  Cell cell;
  const LayerTrace<float>& layer;

  const LayerInput<float>& input() const { return layer.input; }
  Index d_k() const { return layer.input.d_k(); }
  // A matrix of the same layer: of the cell's head, of another, or of none.
  Site same_head(Quantity quantity) const { return {quantity, cell.site.layer, cell.site.head}; }
  Site of_layer(Quantity quantity) const { return {quantity, cell.site.layer, kNoHead}; }
  std::string head() const { return "head " + std::to_string(cell.site.head + 1); }
  std::string name(Quantity quantity) const { return symbol(same_head(quantity)); }
  std::string query() const { return quoted(trace, cell.row); }
  std::string key() const { return quoted(trace, cell.col); }
  bool painted(std::vector<PaintedRow<float>> PaintedHead<float>::*rows) const {
    const PaintedHead<float>* head = painted_head(layer.input.painted, cell.site.head);
    return head && painted_row(head->*rows, cell.row);
  }
  double gate(int head) const { return static_cast<double>(layer.input.gate(head)); }
  double value() const { return static_cast<double>(value_at(trace, cell)); }
};

using Steps = std::vector<Step>;

Step bias_step(const Context& c, double sum, const Cell& bias) {
  Step step = step_of("plus the bias", "sum + " + symbol(bias.site));
  add_term(step, "sum", {number(sum, "sum")});
  add_term(step, "bias", {entry(c.trace, bias, "b")});
  return step;
}

Steps explain_X(const Context& c) {
  const Index row = c.cell.row, col = c.cell.col;
  if (const int layer = c.cell.site.layer; layer > 0) {
    Step step = step_of("what the layer before gives for " + c.query(), "Y");
    add_term(step, "output", {entry(c.trace, {{Quantity::Y, layer - 1, kNoHead}, row, col}, "y")});
    return {step};
  }
  const float word = (*c.trace.embedding)(row, col);
  const float position = c.trace.positions ? (*c.trace.positions)(row, col) : 0.0f;
  if (word + position != (*c.trace.X)(row, col)) return {statement("set by hand: an input number", c.value())};
  Step step = step_of("what the word " + c.query() + " is, plus where it stands", "E + P");
  if (!c.trace.positions) step = step_of("the embedding of the word " + c.query() + "; no positions are added", "E");
  add_term(step, "word", {entry(c.trace, {{Quantity::embedding}, row, col}, "e")});
  if (c.trace.positions) add_term(step, "position", {entry(c.trace, {{Quantity::positions}, row, col}, "p")});
  return {step};
}

Steps explain_feature(const Context& c) {
  const FeatureLayout& layout = *c.trace.layout;
  const WordFeatures& word = c.trace.words[static_cast<std::size_t>(c.cell.row)];
  std::string text = column_gloss(layout, c.cell.col);
  if (c.cell.col < layout.features && word.corrected)
    text += "; this document says so of the word";
  else if (c.cell.col < layout.features && word.guessed)
    text += "; guessed from the shape of the word";
  return {statement(text, c.value())};
}

Steps explain_wave(const Context& c) {
  const FeatureLayout& layout = *c.trace.layout;
  const Index within = c.cell.col - layout.position_at();
  if (within < 0) return {statement("only position columns hold positions", c.value())};
  const float frequency = layout.frequencies[static_cast<std::size_t>(within / 2)];
  Step angle = step_of("how far the wave of this column has turned at place i = " + std::to_string(c.cell.row), "w i");
  add_term(angle, "", {number(static_cast<double>(frequency), "w"), number(static_cast<double>(c.cell.row), "i")});
  const bool sine = within % 2 == 0;
  Step wave =
      step_of(sine ? "its sine" : "its cosine", sine ? "sin(angle)" : "cos(angle)", sine ? Form::sine : Form::cosine);
  add_term(wave, "", {number(angle.result, "angle")});
  return {angle, wave};
}

Steps explain_position(const Context& c) {
  if (c.trace.layout) return explain_wave(c);
  const Index k = c.cell.col / 2;
  const bool even = c.cell.col % 2 == 0;
  const double exponent = static_cast<double>(2 * k) / static_cast<double>(c.trace.X->cols());
  Step angle = step_of("the angle of position i = " + std::to_string(c.cell.row) +
                           " in column pair k = " + std::to_string(k) + ": later pairs turn more slowly",
                       "i / 10000^(2k/d)", Form::quotient);
  add_term(angle, "",
           {number(static_cast<double>(c.cell.row), "i"), number(std::pow(10000.0, exponent), "10000^(2k/d)")});
  Step wave = step_of(even ? "its sine: even columns" : "its cosine: odd columns", even ? "sin(angle)" : "cos(angle)",
                      even ? Form::sine : Form::cosine);
  add_term(wave, "", {number(angle.result, "angle")});
  return {angle, wave};
}

Steps explain_projection(const Context& c, Quantity weight, Quantity bias, const char* what) {
  Step dot = step_of("the input of " + c.query() + " times column " + std::to_string(c.cell.col) + " of the " + what +
                         " weights of " + c.head(),
                     "Σₖ x[k] " + c.name(weight) + "[k, " + std::to_string(c.cell.col) + "]");
  add_dot_product(dot, c.trace, {{Quantity::X, c.cell.site.layer, kNoHead}, true, c.cell.row, "x"},
                  {c.same_head(weight), false, c.cell.col, "w"}, c.input().d_model());
  if (!exists(c.trace, c.same_head(bias))) return {dot};
  const double sum = dot.result;
  return {std::move(dot), bias_step(c, sum, {c.same_head(bias), 0, c.cell.col})};
}

Steps explain_score(const Context& c) {
  const LayerInput<float>& input = c.input();
  if (!input.mask.allows(c.cell.row, c.cell.col))
    return {statement(
        "the mask hides " + c.key() + " from " + c.query() + ": the score is −∞, so softmax gives it a weight of 0",
        c.value())};
  Steps steps{step_of("dot product of the query of " + c.query() + " with the key of " + c.key(), "Σ_c q[c] k[c]")};
  add_dot_product(steps.back(), c.trace, {c.same_head(Quantity::Q), true, c.cell.row, "q"},
                  {c.same_head(Quantity::K), true, c.cell.col, "k"}, c.d_k());
  const auto divide = [&](std::string text, std::string formula, double divisor, std::string label) {
    Step step = step_of(std::move(text), std::move(formula), Form::quotient);
    add_term(step, "", {number(steps.back().result, "sum"), number(divisor, std::move(label))});
    steps.push_back(std::move(step));
  };
  const std::string d_k = std::to_string(c.d_k());
  if (input.scale)
    divide("scaled, so that the spread of scores does not grow with d_k = " + d_k, "sum / √d_k",
           std::sqrt(static_cast<double>(c.d_k())), "√" + d_k);
  if (input.temperature != 1)
    divide("divided by the temperature: above 1 flattens the pattern, below 1 sharpens it", "score / T",
           static_cast<double>(input.temperature), "T");
  if (input.slice_factor != 1) {
    Step step =
        step_of("times the factor that keeps the spread of scores while each head sees its slice only", "score f");
    add_term(step, "", {number(steps.back().result, "score"), number(static_cast<double>(input.slice_factor), "f")});
    steps.push_back(std::move(step));
  }
  if (input.mask.kind != Mask::Kind::none) {
    Step mask = step_of("plus the mask: " + c.query() + " may attend to " + c.key(), "score + M");
    add_term(mask, "score", {number(steps.back().result, "score")});
    add_term(mask, "mask", {number(0, "M")});
    steps.push_back(std::move(mask));
  }
  return steps;
}

Steps explain_attention(const Context& c) {
  const Site scores = c.same_head(Quantity::scores);
  const MatView<float> s = values_of(c.trace, scores);
  Index top = 0;
  for (Index j = 1; j < s.cols(); ++j)
    if (s(c.cell.row, j) > s(c.cell.row, top)) top = j;
  if (s(c.cell.row, top) == -std::numeric_limits<float>::infinity())
    return {statement("the mask hides every key from " + c.query() + ": nothing to attend to, so all its weights are 0",
                      c.value())};
  if (!c.input().mask.allows(c.cell.row, c.cell.col))
    return {
        statement("the mask hides " + c.key() + " from " + c.query() + ": the score is −∞ and exp(−∞) = 0", c.value())};
  if (c.painted(&PaintedHead<float>::attention))
    return {statement("set by hand: the row of " + c.query() + " is painted, so its scores do not count", c.value())};
  const auto score = [&](Index j, std::string label) {
    return entry(c.trace, {scores, c.cell.row, j}, std::move(label));
  };
  Step numerator = step_of("exp of the score, less the row's largest so that nothing overflows", "exp(s − max)",
                           Form::exp_difference);
  add_term(numerator, "", {score(c.cell.col, "s"), score(top, "max")});
  Step sum = step_of("the same for every key that " + c.query() + " looks at, summed", "Σⱼ exp(s[j] − max)",
                     Form::exp_difference);
  for (Index j = 0; j < s.cols(); ++j)
    add_term(sum, c.trace.tokens[static_cast<std::size_t>(j)],
             {score(j, "s[" + std::to_string(j) + "]"), score(top, "max")});
  Step weight = step_of("its share: the weights of a row sum to 1", "exp(s − max) / sum", Form::quotient);
  add_term(weight, "", {number(numerator.result, "exp(s − max)"), number(sum.result, "sum")});
  return {numerator, sum, weight};
}

Steps explain_output(const Context& c) {
  Step step = step_of("the values of all tokens, weighted by how much " + c.query() + " attends to each",
                      "Σⱼ a[j] v[j, " + std::to_string(c.cell.col) + "]");
  const Line weights{c.same_head(Quantity::attention), true, c.cell.row, "a"};
  const Line values{c.same_head(Quantity::V), false, c.cell.col, "v"};
  add_dot_product(step, c.trace, weights, values, c.input().n());
  for (std::size_t j = 0; j < step.terms.size(); ++j) step.terms[j].label = c.trace.tokens[j];
  return {step};
}

Steps explain_concat(const Context& c) {
  const int head = static_cast<int>(c.cell.col / c.d_k());
  const Index col = c.cell.col % c.d_k();
  const Site output{Quantity::output, c.cell.site.layer, head};
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

Steps explain_contribution(const Context& c) {
  Step step = step_of("the output of " + c.head() + " for " + c.query() + " times column " +
                          std::to_string(c.cell.col) + " of its rows of W_O",
                      "Σₖ o[k] " + c.name(Quantity::W_O) + "[k, " + std::to_string(c.cell.col) + "]");
  add_dot_product(step, c.trace, {c.same_head(Quantity::output), true, c.cell.row, "o"},
                  {c.same_head(Quantity::W_O), false, c.cell.col, "w"}, c.d_k());
  const double gate = c.gate(c.cell.site.head);
  if (gate == 1) return {step};
  Step gated = step_of("times the gate of " + c.head(), "g sum");
  add_term(gated, "", {number(gate, "g"), number(step.result, "sum")});
  return {std::move(step), std::move(gated)};
}

Steps explain_Y(const Context& c) {
  const Cell bias{c.of_layer(Quantity::b_O), 0, c.cell.col};
  const bool has_bias = exists(c.trace, bias.site);
  Step heads = step_of("every head adds its own contribution", "Σᵢ z[i]");
  for (int i = 0; i < static_cast<int>(c.layer.heads.size()); ++i) {
    const Cell z{{Quantity::contribution, c.cell.site.layer, i}, c.cell.row, c.cell.col};
    add_term(heads, "head " + std::to_string(i + 1), {entry(c.trace, z, "z" + subscript(i + 1))});
  }
  if (has_bias) add_term(heads, "bias", {entry(c.trace, bias, "b")});
  const std::string col = std::to_string(c.cell.col);
  Step product = step_of(
      "the same number read as one product: the outputs of all heads side by side, times column " + col + " of W_O",
      "Σₖ c[k] W_O[k, " + col + "]");
  add_dot_product(product, c.trace, {c.of_layer(Quantity::concat), true, c.cell.row, "c"},
                  {c.of_layer(Quantity::W_O), false, c.cell.col, "w"}, c.input().d_model());
  Steps steps{std::move(heads), std::move(product)};
  if (has_bias) steps.push_back(bias_step(c, steps.back().result, bias));
  return steps;
}

Steps explain_value_weighted(const Context& c) {
  const MatView<float> W_O = values_of(c.trace, c.same_head(Quantity::W_O));
  const RowVec<double> v = values_of(c.trace, c.same_head(Quantity::V)).row(c.cell.col).cast<double>();
  const RowVec<double> carried = v * W_O.cast<double>();
  Step squares = step_of("what " + c.key() + " would carry to the output is v W_O" + superscript(c.cell.site.head + 1) +
                             ": its squared length",
                         "Σₖ u[k]²");
  for (Index k = 0; k < carried.size(); ++k) {
    const Operand u = number(carried(k), "u[" + std::to_string(k) + "]");
    add_term(squares, index_label(k), {u, u});
  }
  Step length = step_of("its length", "√sum", Form::square_root);
  add_term(length, "", {number(squares.result, "sum")});
  Step product = step_of("times how much " + c.query() + " attends to " + c.key(), "a ‖u‖");
  std::vector<Operand> factors{entry(c.trace, {c.same_head(Quantity::attention), c.cell.row, c.cell.col}, "a"),
                               number(length.result, "‖u‖")};
  if (const double gate = c.gate(c.cell.site.head); gate != 1) {
    product.text += ", and the head's gate";
    product.formula = "g a ‖u‖";
    factors.insert(factors.begin(), number(gate, "g"));
  }
  add_term(product, "", std::move(factors));
  return {squares, length, product};
}

Steps explain_mean(const Context& c, const std::vector<bool>& heads) {
  Step sum = step_of("the weight that each head gives, summed", "Σᵢ a[i]");
  const bool all = std::none_of(heads.begin(), heads.end(), [](bool chosen) { return chosen; });
  for (std::size_t i = 0; i < c.layer.heads.size(); ++i) {
    if (!all && !(i < heads.size() && heads[i])) continue;
    const Cell a{{Quantity::attention, c.cell.site.layer, static_cast<int>(i)}, c.cell.row, c.cell.col};
    add_term(sum, "head " + std::to_string(i + 1), {entry(c.trace, a, "a" + subscript(static_cast<Index>(i) + 1))});
  }
  Step mean = step_of("divided by the number of heads", "sum / h", Form::quotient);
  add_term(mean, "", {number(sum.result, "sum"), number(static_cast<double>(sum.terms.size()), "h")});
  return {sum, mean};
}

Steps explain_form(const Context& c) {
  const bool asks = c.cell.site.quantity == Quantity::query_key;
  const Axis axis = shape_of(c.trace, c.cell.site).row_axis;
  const std::string row = axis_label(c.trace, axis, c.cell.row), col = axis_label(c.trace, axis, c.cell.col);
  Step step = step_of(
      asks ? "what a query with " + row + " adds to the score of a key with " + col + " (before the division by √d_k)"
           : "what an attended token with " + row + " writes to " + col + " of the output",
      asks ? "Σₖ W_Q[" + row + ", k] W_K[" + col + ", k]" : "Σₖ W_V[" + row + ", k] W_O[k, " + col + "]");
  add_dot_product(step, c.trace, {c.same_head(asks ? Quantity::W_Q : Quantity::W_V), true, c.cell.row, "w"},
                  {c.same_head(asks ? Quantity::W_K : Quantity::W_O), asks, c.cell.col, "w"}, c.d_k());
  return {step};
}

// Whether a weight is one that its head's slice of X meets.
bool counts(const Context& c) {
  const Quantity quantity = c.cell.site.quantity;
  const std::optional<Cell> whole = editable_cell(c.trace, c.cell);
  return !is_weight(quantity) || quantity == Quantity::W_O || !whole ||
         reads(c.input().split, c.d_k(), whole->row, whole->col);
}

Steps explain_parameter(const Context& c) {
  std::string text = is_bias(c.cell.site.quantity) ? "a bias: an input number" : "a weight: an input number";
  if (!counts(c)) text = "a weight that counts as 0: each head reads only its slice of X";
  if (const auto whole = editable_cell(c.trace, c.cell); whole && whole->site != c.cell.site)
    text += "; in the combined matrix it is " + symbol(whole->site) + cell_label(c.trace, *whole);
  if (const std::string heads = sharing_heads(c.trace, c.cell.site); !heads.empty()) text += "; " + heads + " share it";
  return {statement(std::move(text), c.value())};
}

Steps steps_of(const Context& c, const std::vector<bool>& mean_heads) {
  switch (c.cell.site.quantity) {
    case Quantity::embedding:
      if (c.trace.layout) return explain_feature(c);
      return {
          statement("an input number: entry " + std::to_string(c.cell.col) + " of the vector of the word " + c.query(),
                    c.value())};
    case Quantity::query_key:
    case Quantity::value_output:
      return explain_form(c);
    case Quantity::positions:
      return explain_position(c);
    case Quantity::X:
      return explain_X(c);
    case Quantity::W_Q:
    case Quantity::W_K:
    case Quantity::W_V:
    case Quantity::W_O:
    case Quantity::b_Q:
    case Quantity::b_K:
    case Quantity::b_V:
    case Quantity::b_O:
      return explain_parameter(c);
    case Quantity::Q:
      return explain_projection(c, Quantity::W_Q, Quantity::b_Q, "query");
    case Quantity::K:
      return explain_projection(c, Quantity::W_K, Quantity::b_K, "key");
    case Quantity::V:
      if (c.painted(&PaintedHead<float>::values))
        return {statement("set by hand: the value of " + c.query() + " is painted, so its projection does not count",
                          c.value())};
      return explain_projection(c, Quantity::W_V, Quantity::b_V, "value");
    case Quantity::scores:
      return explain_score(c);
    case Quantity::attention:
      return explain_attention(c);
    case Quantity::output:
      return explain_output(c);
    case Quantity::contribution:
      return explain_contribution(c);
    case Quantity::value_weighted:
      return explain_value_weighted(c);
    case Quantity::mean_attention:
      return explain_mean(c, mean_heads);
    case Quantity::concat:
      return explain_concat(c);
    case Quantity::Y:
      return explain_Y(c);
  }
  assert(false);
  return {};
}

}  // namespace

double value_of(Form form, const std::vector<Operand>& factors) {
  const double first = factors.front().value;
  switch (form) {
    case Form::product: {
      double product = 1;
      for (const Operand& factor : factors) product *= factor.value;
      return product;
    }
    case Form::quotient:
      return first / factors[1].value;
    case Form::exp_difference:
      return std::exp(first - factors[1].value);
    case Form::sine:
      return std::sin(first);
    case Form::cosine:
      return std::cos(first);
    case Form::square_root:
      return std::sqrt(first);
  }
  assert(false);
  return 0;
}

Explanation explain(const Trace& trace, const Cell& cell, const std::vector<bool>& mean_heads) {
  assert(exists(trace, cell.site));
  const Context context{trace, cell, trace.layer(cell.site.layer)};
  Explanation out;
  out.cell = cell;
  out.title = cell_title(trace, cell);
  out.steps = steps_of(context, mean_heads);
  out.value = context.value();
  if (cell.site.quantity == Quantity::mean_attention) out.value = out.steps.back().result;
  const bool of_softmax = cell.site.quantity == Quantity::scores || cell.site.quantity == Quantity::attention;
  out.masked = of_softmax && !context.input().mask.allows(cell.row, cell.col);
  return out;
}

}  // namespace hydra

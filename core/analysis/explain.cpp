#include "core/analysis/explain.h"

#include <cassert>
#include <cmath>

#include "core/analysis/arithmetic.h"
#include "core/analysis/withheld.h"
#include "core/ops/activate.h"
#include "core/text/wording.h"

namespace hydra {

using namespace arithmetic;

namespace {

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
  Step wave = step_of(sine ? "its sine" : "its cosine", sine ? "sin(angle)" : "cos(angle)",
                      sine ? Combine::sine : Combine::cosine);
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
                       "i / 10000^(2k/d)", Combine::quotient);
  add_term(angle, "",
           {number(static_cast<double>(c.cell.row), "i"), number(std::pow(10000.0, exponent), "10000^(2k/d)")});
  Step wave = step_of(even ? "its sine: even columns" : "its cosine: odd columns", even ? "sin(angle)" : "cos(angle)",
                      even ? Combine::sine : Combine::cosine);
  add_term(wave, "", {number(angle.result, "angle")});
  return {angle, wave};
}

// Whether a weight is one that its head's slice of X meets.
bool counts(const Context& c) {
  const Quantity quantity = c.cell.site.quantity;
  const std::optional<Cell> whole = editable_cell(c.trace, c.cell);
  return !is_projection_weight(quantity) || !whole || reads(c.input().split, c.input().d_k(), whole->row, whole->col);
}

Steps explain_parameter(const Context& c) {
  const Quantity quantity = c.cell.site.quantity;
  std::string text = !is_bias(quantity)        ? "a weight: an input number"
                     : may_be_absent(quantity) ? "a bias: an input number"
                                               : wording(entry_of(quantity).phrase) + ": an input number";
  if (!counts(c)) text = "a weight that counts as 0: each head reads only its slice of X";
  if (const auto whole = editable_cell(c.trace, c.cell); whole && whole->site != c.cell.site)
    text += "; in the combined matrix it is " + symbol(whole->site) + cell_label(c.trace, *whole);
  if (const std::string heads = sharing_heads(c.trace, c.cell.site); !heads.empty()) text += "; " + heads + " share it";
  return {statement(std::move(text), c.value())};
}

Steps explained(const Context& c, const std::vector<bool>& mean_heads) {
  const Quantity quantity = c.cell.site.quantity;
  if (is_parameter(quantity)) return explain_parameter(c);
  const bool looked_up = is_of_model(quantity) && c.trace.model.program().makes(quantity);
  if (quantity == Quantity::positions && !looked_up) return explain_position(c);
  if (quantity == Quantity::embedding && c.trace.layout) return explain_feature(c);
  if (quantity == Quantity::embedding && !looked_up)
    return {statement(
        "an input number: entry " + std::to_string(c.cell.col) + " of the vector of the word " + c.query(), c.value())};
  const ProgramNode& node = program_at(c.trace, c.cell.site).node_of(quantity);
  if (c.by_hand() && node.operation == Operation::linear)
    return {statement("set by hand: the " + wording(entry_of(quantity).row) + " of " + c.query() +
                          " is painted, so its projection does not count",
                      c.value())};
  return steps_of(c, node, mean_heads);
}

}  // namespace

double value_of(Combine combine, const std::vector<Operand>& factors) {
  const double first = factors.front().value;
  switch (combine) {
    case Combine::product: {
      double product = 1;
      for (const Operand& factor : factors) product *= factor.value;
      return product;
    }
    case Combine::quotient:
      return first / factors[1].value;
    case Combine::exponential:
      return std::exp(first);
    case Combine::exp_difference:
      return std::exp(first - factors[1].value);
    case Combine::sine:
      return std::sin(first);
    case Combine::cosine:
      return std::cos(first);
    case Combine::square_root:
      return std::sqrt(first);
    case Combine::hyperbolic_tangent:
      return std::tanh(first);
    case Combine::squared_difference:
      return (first - factors[1].value) * (first - factors[1].value);
    case Combine::sigmoid:
      return 1 / (1 + std::exp(-first));
    case Combine::relu:
      return activate::value(Activation::relu, first);
    case Combine::gelu:
      return activate::value(Activation::gelu, first);
    case Combine::gelu_tanh:
      return activate::value(Activation::gelu_tanh, first);
    case Combine::silu:
      return activate::value(Activation::silu, first);
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
  out.value = context.value();
  if (is_withheld(out.value)) {
    out.steps = {{"withheld: it is to be found out", "", Combine::product, {}, out.value}};
    return out;
  }
  out.steps = explained(context, mean_heads);
  const Quantity quantity = cell.site.quantity;
  if (quantity == Quantity::mean_attention) out.value = out.steps.back().result;
  const bool of_softmax = is_score(quantity) || is_attention(quantity);
  out.masked = of_softmax && !context.input().mask.allows(cell.row, cell.col);
  return out;
}

}  // namespace hydra

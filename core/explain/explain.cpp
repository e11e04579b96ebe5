#include "core/explain/explain.h"

#include <cassert>
#include <cmath>

#include "core/explain/arithmetic.h"
#include "core/explain/withheld.h"
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
    text = wording("core:explain.feature.corrected", {{"gloss", text}});
  else if (c.cell.col < layout.features && word.guessed)
    text = wording("core:explain.feature.guessed", {{"gloss", text}});
  return {statement(text, c.value())};
}

Steps explain_wave(const Context& c, Index place) {
  const FeatureLayout& layout = *c.trace.layout;
  const Index within = c.cell.col - layout.position_at();
  if (within < 0) return {statement(wording("core:explain.no_wave"), c.value())};
  const float frequency = layout.frequencies[static_cast<std::size_t>(within / 2)];
  Step angle = step_of(wording("core:explain.wave", {{"place", place}}), "w i");
  add_term(angle, "", {number(static_cast<double>(frequency), "w"), number(static_cast<double>(place), "i")});
  const bool sine = within % 2 == 0;
  Step wave = step_of(sine ? wording("core:arithmetic.sine") : wording("core:arithmetic.cosine"),
                      sine ? wording("core:arithmetic.sine.formula") : wording("core:arithmetic.cosine.formula"),
                      sine ? Combine::sine : Combine::cosine);
  add_term(wave, "", {number(angle.result, wording("core:arithmetic.angle"))});
  return {angle, wave};
}

Steps explain_position(const Context& c) {
  const Index place = c.trace.model.place(c.cell.row);
  if (place < 0) return {statement(wording("core:arithmetic.pad_place"), c.value())};
  if (c.trace.layout) return explain_wave(c, place);
  const Index k = c.cell.col / 2;
  const bool even = c.cell.col % 2 == 0;
  const double exponent = static_cast<double>(2 * k) / static_cast<double>(c.trace.X->cols());
  Step angle =
      step_of(wording("core:explain.position", {{"place", place}, {"pair", k}}), "i / 10000^(2k/d)", Combine::quotient);
  add_term(angle, "", {number(static_cast<double>(place), "i"), number(std::pow(10000.0, exponent), "10000^(2k/d)")});
  Step wave = step_of(even ? wording("core:explain.position.sine") : wording("core:explain.position.cosine"),
                      even ? wording("core:arithmetic.sine.formula") : wording("core:arithmetic.cosine.formula"),
                      even ? Combine::sine : Combine::cosine);
  add_term(wave, "", {number(angle.result, wording("core:arithmetic.angle"))});
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
  std::string text = !is_bias(quantity) ? wording("core:explain.weight")
                     : may_be_absent(quantity)
                         ? wording("core:explain.bias")
                         : wording("core:explain.parameter", {{"phrase", wording(entry_of(quantity).phrase)}});
  if (!counts(c)) text = wording("core:explain.beside_slice");
  if (const auto whole = editable_cell(c.trace, c.cell); whole && whole->site != c.cell.site)
    text = wording("core:explain.combined",
                   {{"parameter", text}, {"cell", symbol(whole->site) + cell_label(c.trace, *whole)}});
  if (const std::string heads = sharing_heads(c.trace, c.cell.site); !heads.empty())
    text = wording("core:explain.shared", {{"parameter", text}, {"heads", heads}});
  return {statement(std::move(text), c.value())};
}

Steps explained(const Context& c, const std::vector<bool>& mean_heads) {
  const Quantity quantity = c.cell.site.quantity;
  if (is_parameter(quantity)) return explain_parameter(c);
  const bool looked_up = is_of_model(quantity) && c.trace.model.program().makes(quantity);
  if (quantity == Quantity::positions && !looked_up) return explain_position(c);
  if (quantity == Quantity::embedding && c.trace.layout) return explain_feature(c);
  if (quantity == Quantity::embedding && !looked_up)
    return {statement(wording("core:explain.embedding", {{"column", c.cell.col}, {"query", c.query()}}), c.value())};
  const ProgramNode& node = program_at(c.trace, c.cell.site).node_of(quantity);
  if (c.by_hand() && node.operation == Operation::linear)
    return {statement(wording("core:explain.painted", {{"row", wording(entry_of(quantity).row)}, {"query", c.query()}}),
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
    case Combine::relu_squared:
      return activate::value(Activation::relu_squared, first);
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
    out.steps = {{wording("core:explain.withheld"), "", Combine::product, {}, out.value}};
    return out;
  }
  out.steps = explained(context, mean_heads);
  const Quantity quantity = cell.site.quantity;
  if (quantity == Quantity::mean_attention) out.value = out.steps.back().result;
  const bool of_softmax = is_score(quantity) || is_attention(quantity);
  out.masked = of_softmax && !context.input().sees(cell.site.head, cell.row, cell.col);
  return out;
}

}  // namespace hydra

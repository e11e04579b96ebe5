// The arithmetic of what stands around the heads: sums with the stream, norms, activations.
#include <functional>

#include "core/analysis/arithmetic.h"

namespace hydra::arithmetic {

namespace {

// What the stream is joined with, in words.
std::string part_of(Quantity quantity) {
  if (quantity == Quantity::Y) return "heads";
  return quantity == Quantity::feed_forward ? "feed-forward" : "stream";
}

}  // namespace

Steps explain_added(const Context& c, const ProgramNode& node) {
  std::string formula;
  for (const Quantity part : node.reads()) formula += (formula.empty() ? "" : " + ") + symbol(c.beside(part));
  Step step = step_of("what stands in the stream for " + c.query() + ", and what is added to it", formula);
  for (const Quantity part : node.reads())
    add_term(step, part_of(part), {entry(c.trace, {c.beside(part), c.cell.row, c.cell.col}, element(part))});
  return {step};
}

namespace {

using Factors = std::function<std::vector<Operand>(Operand)>;

// Over the row: the sum of what each number's factors make, and after it that divided by how many there are. Gives the
// mean.
double add_mean(Steps& steps, const Context& c, const Site& X, const Range& cols, Step sum, const char* name,
                const Factors& factors_of) {
  const MatView<float> values = values_of(c.trace, X);
  const Axis axis = shape_of(c.trace, X).col_axis;
  for (Index k = cols.first; k < cols.last; ++k) {
    const Operand x{static_cast<double>(values(c.cell.row, k)), "x[" + std::to_string(k) + "]", Cell{X, c.cell.row, k}};
    add_term(sum, axis == Axis::model_dim && c.trace.layout ? axis_label(c.trace, axis, k) : index_label(k),
             factors_of(x));
  }
  Step mean = step_of("divided by how many there are", "sum / d", Combine::quotient);
  add_term(mean, name, {number(sum.result, "sum"), number(static_cast<double>(cols.count()), "d")});
  steps.push_back(std::move(sum));
  steps.push_back(std::move(mean));
  return steps.back().result;
}

// What a row is divided by, after its mean is taken away, and that mean: 0 where none is.
struct RowSize {
  double mean = 0, root = 1;
};
RowSize add_row_size(Steps& steps, const Context& c, const Site& X, const Range& cols, NormKind kind) {
  const bool layer = kind == NormKind::layer;
  const bool whole = cols.count() == shape_of(c.trace, X).cols;
  const std::string row = row_of(c, X.quantity) + (whole             ? ""
                                                   : cols.first == 0 ? ", its first half"
                                                                     : ", its second half");
  RowSize of;
  if (layer) {
    of.mean = add_mean(steps, c, X, cols, step_of(row + ", summed", "Σₖ x[k]"), "mean",
                       [](Operand x) { return std::vector{std::move(x)}; });
    add_mean(steps, c, X, cols,
             step_of("how far each number is from the mean, squared", "Σₖ (x[k] − mean)²", Combine::squared_difference),
             "variance", [&](Operand x) {
               return std::vector{std::move(x), number(of.mean, "mean")};
             });
  } else {
    add_mean(steps, c, X, cols, step_of(row + ", each number squared, summed", "Σₖ x[k]²"), "mean square",
             [](const Operand& x) {
               return std::vector{x, x};
             });
  }
  const char* size = layer ? "variance" : "mean square";
  Step sum = step_of("plus a little, so that nothing is divided by 0", std::string(size) + " + ε");
  add_term(sum, size, {number(steps.back().result, size)});
  add_term(sum, "ε", {number(c.norm_epsilon(), "ε")});
  Step root = step_of("its root: how large the row's numbers are", "√sum", Combine::square_root);
  add_term(root, "", {number(sum.result, "sum")});
  of.root = root.result;
  steps.push_back(std::move(sum));
  steps.push_back(std::move(root));
  return of;
}

}  // namespace

Steps explain_norm(const Context& c, const ProgramNode& node) {
  const NormKind kind = c.norm_kind();
  const bool layer = kind == NormKind::layer;
  const Site X = c.beside(node.reads()[0]), gain = c.beside(node.reads()[1]);
  Steps steps;
  const Index part = shape_of(c.trace, X).cols / norm_parts_of(node, c.input().settings);
  const Index first = c.cell.col / part * part;
  const RowSize of = add_row_size(steps, c, X, {first, first + part}, kind);
  Operand x = entry(c.trace, {X, c.cell.row, c.cell.col}, "x");
  if (layer) {
    Step difference = step_of("the number itself, less the mean", "x − mean");
    add_term(difference, "x", {std::move(x)});
    add_term(difference, "mean", {number(-1, "−1"), number(of.mean, "mean")});
    x = number(difference.result, "x − mean");
    steps.push_back(std::move(difference));
  }
  Step normed = step_of("divided by that root", layer ? "(x − mean) / root" : "x / root", Combine::quotient);
  add_term(normed, "", {std::move(x), number(of.root, "root")});
  Step gained = step_of("times the gain of column " + std::to_string(c.cell.col), "u " + symbol(gain));
  add_term(gained, "", {number(normed.result, "u"), entry(c.trace, {gain, 0, c.cell.col}, "γ")});
  steps.push_back(std::move(normed));
  steps.push_back(std::move(gained));
  for (const Quantity shift : node.reads().subspan(2))
    steps.push_back(
        plus_step(c, "plus its shift", "shift", "β", steps.back().result, {c.beside(shift), 0, c.cell.col}));
  if (const double factor = norm_factor_of(node, c.input().settings); factor != 1) {
    Step step = step_of("times 1 − λ₀, so that heads give as much as without a second pattern", "(1 − λ₀) u");
    add_term(step, "", {number(factor, "1 − λ₀"), number(steps.back().result, "u")});
    steps.push_back(std::move(step));
  }
  return steps;
}

Steps explain_activate(const Context& c, const ProgramNode& node) {
  struct Bend {
    Combine combine;
    const char *text, *formula;
  };
  static constexpr Bend kBends[] = {
      {Combine::relu, "what is negative becomes 0", "max(0, u)"},
      {Combine::gelu, "times the share of a normal distribution that is below it", "u Φ(u)"},
      {Combine::gelu_tanh, "nearly u Φ(u), by a hyperbolic tangent", "u (1 + tanh(√(2/π) (u + 0.044715 u³))) / 2"},
      {Combine::silu, "times its own sigmoid", "u / (1 + exp(−u))"}};
  const Bend& bend = kBends[static_cast<std::size_t>(c.input().settings.activation)];
  const auto at = [&](Quantity quantity) {
    return entry(c.trace, {c.beside(quantity), c.cell.row, c.cell.col}, element(quantity));
  };
  Step bent = step_of(std::string("the hidden number of ") + c.query() + ": " + bend.text, bend.formula, bend.combine);
  add_term(bent, "", {at(node.reads()[0])});
  Steps steps{std::move(bent)};
  for (const Quantity gate : node.reads().subspan(1)) {
    Step step = step_of("times what the second projection gives for it", "f(u) " + element(gate));
    add_term(step, "", {number(steps.back().result, "f(u)"), at(gate)});
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace hydra::arithmetic

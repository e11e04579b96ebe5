// The arithmetic of what stands around the heads: sums with the stream, norms, activations.
#include <functional>

#include "core/explain/arithmetic.h"

namespace hydra::arithmetic {

namespace {

// What is added, in words: to the stream, or of a head.
std::string part_of(const Site& part) {
  if (has_head(part.quantity)) return symbol(part);
  switch (part.quantity) {
    case Quantity::Y:
      return wording("core:arithmetic.heads");
    case Quantity::normed_Y:
      return wording("core:arithmetic.heads_normed");
    case Quantity::feed_forward:
      return wording("core:arithmetic.feed_forward");
    case Quantity::normed_F:
      return wording("core:arithmetic.feed_forward_normed");
    default:
      return wording("core:arithmetic.stream");
  }
}

}  // namespace

Steps explain_added(const Context& c, const ProgramNode& node) {
  if (Steps given = not_computed(c); !given.empty()) return given;
  std::string formula;
  for (const Quantity part : node.reads()) formula += (formula.empty() ? "" : " + ") + symbol(c.operand_site(part));
  Step step = step_of(has_head(node.result) ? wording("core:arithmetic.added.of_head", {{"head", c.head()}})
                                            : wording("core:arithmetic.added", {{"query", c.query()}}),
                      formula);
  for (const Quantity part : node.reads())
    add_term(step, part_of(c.operand_site(part)),
             {entry(c.trace, {c.operand_site(part), c.cell.row, c.cell.col}, element(part))});
  return {step};
}

namespace {

using Factors = std::function<std::vector<Operand>(Operand)>;

// Over the row: the sum of what each number's factors make, and after it that divided by how many there are. Gives the
// mean.
double add_mean(Steps& steps, const Context& c, const std::vector<Site>& row, const Range& cols, Step sum,
                const std::string& name, const Factors& factors_of) {
  for (const Site& X : row) {
    const MatView<float> values = values_of(c.trace, X);
    const Axis axis = shape_of(c.trace, X).col_axis;
    for (Index k = cols.first; k < cols.last; ++k) {
      const Operand x{static_cast<double>(values(c.cell.row, k)), "x[" + std::to_string(k) + "]",
                      Cell{X, c.cell.row, k}};
      const std::string label =
          axis == Axis::model_dim && c.trace.layout ? axis_label(c.trace, axis, k) : index_label(k);
      add_term(sum, row.size() > 1 ? wording("core:head", {{"number", X.head + 1}}) + ", " + label : label,
               factors_of(x));
    }
  }
  Step mean = step_of(wording("core:arithmetic.mean_of_row"), wording("core:arithmetic.mean_of_row.formula"),
                      Combine::quotient);
  add_term(mean, name,
           {number(sum.result, wording("core:arithmetic.sum")),
            number(static_cast<double>(cols.count() * std::ssize(row)), "d")});
  steps.push_back(std::move(sum));
  steps.push_back(std::move(mean));
  return steps.back().result;
}

// The matrices that a normed row is part of: of queries and keys that are normed as one row, those of all heads.
std::vector<Site> normed_together(const Context& c, const ProgramNode& node, const Site& X) {
  if (!hears_all_heads(node, c.input().settings)) return {X};
  const KeyGroups groups = entry_of(X.quantity).of_group ? c.input().key_groups() : KeyGroups{c.input().heads};
  std::vector<Site> all;
  for (Index k = 0; k < groups.sets(); ++k) all.push_back({X.quantity, X.layer, static_cast<int>(groups.first(k))});
  return all;
}

// What a row is divided by, after its mean is taken away, and that mean: 0 where none is.
struct RowSize {
  double mean = 0, root = 1;
};
RowSize add_row_size(Steps& steps, const Context& c, const std::vector<Site>& X, const Range& cols, NormKind kind,
                     double epsilon) {
  const bool layer = kind == NormKind::layer;
  const bool whole = cols.count() == shape_of(c.trace, X.front()).cols;
  std::string row = row_of(c, X.front().quantity);
  if (X.size() > 1) row = wording("core:arithmetic.with_all_heads", {{"row", row}});
  if (!whole)
    row = cols.first == 0 ? wording("core:arithmetic.first_half", {{"row", row}})
                          : wording("core:arithmetic.second_half", {{"row", row}});
  RowSize of;
  if (layer) {
    of.mean = add_mean(steps, c, X, cols, step_of(wording("core:arithmetic.summed", {{"row", row}}), "Σₖ x[k]"),
                       wording("core:arithmetic.mean"), [](Operand x) { return std::vector{std::move(x)}; });
    add_mean(steps, c, X, cols,
             step_of(wording("core:arithmetic.deviations"), wording("core:arithmetic.deviations.formula"),
                     Combine::squared_difference),
             wording("core:arithmetic.variance"), [&](Operand x) {
               return std::vector{std::move(x), number(of.mean, wording("core:arithmetic.mean"))};
             });
  } else {
    add_mean(steps, c, X, cols, step_of(wording("core:arithmetic.squares", {{"row", row}}), "Σₖ x[k]²"),
             wording("core:arithmetic.mean_square"), [](const Operand& x) {
               return std::vector{x, x};
             });
  }
  const std::string& size = layer ? wording("core:arithmetic.variance") : wording("core:arithmetic.mean_square");
  Step sum = step_of(wording("core:arithmetic.plus_little"), size + " + ε");
  add_term(sum, size, {number(steps.back().result, size)});
  add_term(sum, "ε", {number(epsilon, "ε")});
  Step root =
      step_of(wording("core:arithmetic.root_of_row"), wording("core:arithmetic.root.formula"), Combine::square_root);
  add_term(root, "", {number(sum.result, wording("core:arithmetic.sum"))});
  of.root = root.result;
  steps.push_back(std::move(sum));
  steps.push_back(std::move(root));
  return of;
}

// X may have entries that are set by hand: those are not what its norm gives.
bool is_set_over_norm(const Context& c, const ProgramNode& node) {
  if (node.result != Quantity::X) return false;
  const Mat<float> row = c.trace.summed->row(c.cell.row);
  const Mat<float> normed = normed_words<float>(row, c.trace.model.settings, c.trace.model.weights);
  return normed(0, c.cell.col) != (*c.trace.X)(c.cell.row, c.cell.col);
}

}  // namespace

Steps explain_norm(const Context& c, const ProgramNode& node) {
  if (is_set_over_norm(c, node)) return {statement(wording("core:arithmetic.by_hand"), c.value())};
  const NormKind kind = c.norm_kind(node);
  const bool layer = kind == NormKind::layer;
  const Site X = c.operand_site(node.reads()[0]), gain = c.operand_site(node.reads()[1]);
  Steps steps;
  const Index part = shape_of(c.trace, X).cols / norm_parts_of(node, c.input().settings);
  const Index first = c.cell.col / part * part;
  const RowSize of =
      add_row_size(steps, c, normed_together(c, node, X), {first, first + part}, kind, c.norm_epsilon(node));
  Operand x = entry(c.trace, {X, c.cell.row, c.cell.col}, "x");
  if (layer) {
    Step difference = step_of(wording("core:arithmetic.less_mean"), wording("core:arithmetic.less_mean.formula"));
    add_term(difference, "x", {std::move(x)});
    add_term(difference, wording("core:arithmetic.mean"),
             {number(-1, "−1"), number(of.mean, wording("core:arithmetic.mean"))});
    x = number(difference.result, wording("core:arithmetic.less_mean.formula"));
    steps.push_back(std::move(difference));
  }
  Step normed =
      step_of(wording("core:arithmetic.normed"),
              layer ? wording("core:arithmetic.normed.layer.formula") : wording("core:arithmetic.normed.rms.formula"),
              Combine::quotient);
  add_term(normed, "", {std::move(x), number(of.root, wording("core:arithmetic.root"))});
  Step gained = step_of(wording("core:arithmetic.gain", {{"column", c.cell.col}}), "u " + symbol(gain));
  add_term(gained, "", {number(normed.result, "u"), entry(c.trace, {gain, 0, c.cell.col}, "γ")});
  steps.push_back(std::move(normed));
  steps.push_back(std::move(gained));
  for (const Quantity shift : node.reads().subspan(2))
    steps.push_back(plus_step(c, wording("core:arithmetic.plus_shift"), wording("core:arithmetic.shift"), "β",
                              steps.back().result, {c.operand_site(shift), 0, c.cell.col}));
  if (const double factor = norm_factor_of(node, c.input().settings); factor != 1) {
    Step step = step_of(wording("core:arithmetic.norm_factor"), "(1 − λ₀) u");
    add_term(step, "", {number(factor, "1 − λ₀"), number(steps.back().result, "u")});
    steps.push_back(std::move(step));
  }
  return steps;
}

namespace {

std::string activation_in_words(const Context& c, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return wording("core:arithmetic.activation.relu", {{"query", c.query()}});
    case Activation::gelu:
      return wording("core:arithmetic.activation.gelu", {{"query", c.query()}});
    case Activation::gelu_tanh:
      return wording("core:arithmetic.activation.gelu_tanh", {{"query", c.query()}});
    case Activation::silu:
      return wording("core:arithmetic.activation.silu", {{"query", c.query()}});
    case Activation::relu_squared:
      return wording("core:arithmetic.activation.relu_squared", {{"query", c.query()}});
  }
  return {};
}

}  // namespace

Steps explain_activate(const Context& c, const ProgramNode& node) {
  struct Activated {
    Combine combine;
    const char* formula;
  };
  static constexpr Activated kActivated[] = {{Combine::relu, "max(0, u)"},
                                             {Combine::gelu, "u Φ(u)"},
                                             {Combine::gelu_tanh, "u (1 + tanh(√(2/π) (u + 0.044715 u³))) / 2"},
                                             {Combine::silu, "u / (1 + exp(−u))"},
                                             {Combine::relu_squared, "max(0, u)²"}};
  const Activated& made = kActivated[static_cast<std::size_t>(c.activation(node))];
  const auto at = [&](Quantity quantity) {
    return entry(c.trace, {c.operand_site(quantity), c.cell.row, c.cell.col}, element(quantity));
  };
  Step activated = step_of(activation_in_words(c, c.activation(node)), made.formula, made.combine);
  add_term(activated, "", {at(node.reads()[0])});
  Steps steps{std::move(activated)};
  for (const Quantity gate : node.reads().subspan(1)) {
    Step step = step_of(wording("core:arithmetic.second_projection"), "f(u) " + element(gate));
    add_term(step, "", {number(steps.back().result, "f(u)"), at(gate)});
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace hydra::arithmetic

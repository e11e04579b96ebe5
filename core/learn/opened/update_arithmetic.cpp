#include "core/learn/opened/update_arithmetic.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "core/explain/arithmetic.h"
#include "core/text/wording.h"

namespace hydra::learn {

using namespace arithmetic;

namespace {

class Update {
 public:
  Update(const OpenedStep& opened, const Cell& cell, Index sequence)
      : opened_(opened), cell_(cell), sequence_(sequence), optimizer_(opened.recipe().optimizer) {}

  Steps steps() {
    gradient();
    clip();
    const double along = optimizer_.kind == Optimizer::sgd ? velocity() : adam();
    change(along);
    return std::move(steps_);
  }

 private:
  double number(Facet facet) const { return static_cast<double>(opened_.number(cell_, facet)); }
  double add(hydra::Step step) {
    steps_.push_back(std::move(step));
    return steps_.back().result;
  }
  // A step of one term.
  double one(std::string text, std::string formula, Combine combine, std::vector<Operand> factors) {
    hydra::Step step = step_of(std::move(text), std::move(formula), combine);
    add_term(step, "", std::move(factors));
    return add(std::move(step));
  }

  // What the number multiplies, and what is made of it: its node's operand and result.
  struct Around {
    std::string operand, result;
  };
  Around around() const {
    const Quantity parameter = cell_.site.quantity;
    if (parameter == Quantity::E || parameter == Quantity::P) return {"", "x"};
    const auto in = [&](std::span<const ProgramNode> nodes) -> std::optional<Around> {
      for (const ProgramNode& node : nodes)
        for (std::size_t k = 1; k < node.reads().size(); ++k)
          if (node.reads()[k] == parameter) return Around{element(node.reads()[0]), element(node.result)};
      return std::nullopt;
    };
    const lanes::Shape& shape = opened_.compiled().shape();
    const auto found = is_of_model(parameter)
                           ? in(program_of(shape.settings, {true, shape.places_learn}).out)
                           : in(program_of(shape.layers[static_cast<std::size_t>(cell_.site.layer)].settings).nodes);
    return found.value_or(Around{"x", "y"});
  }

  void gradient() {
    std::vector<OpenedStep::Use> uses;
    if (!opened_.uses(cell_, sequence_, uses)) {
      gradient_ = number(Facet::gradient);
      add(statement(wording("training:update.gradient"), gradient_));
      return;
    }
    const auto [operand, result] = around();
    const std::string by = "∂L/∂" + result, row = std::to_string(cell_.row), col = std::to_string(cell_.col);
    const Index sequence = sequence_ + 1;
    const std::vector<std::string> tokens = opened_.tokens(sequence_);
    const bool matrix = !uses.empty() && is_weight(cell_.site.quantity) && !operand.empty();
    hydra::Step step = matrix ? step_of(wording("training:update.gradient.weight", {{"sequence", sequence}}),
                                        "Σₜ " + operand + "ₜ[" + row + "] · " + by + "ₜ[" + col + "]")
                              : step_of(wording("training:update.gradient.used", {{"sequence", sequence}}),
                                        "Σₜ " + by + "ₜ[" + col + "]");
    for (const OpenedStep::Use& use : uses) {
      std::vector<Operand> factors;
      if (matrix || use.left != 1) factors.push_back(arithmetic::number(use.left, operand + "[" + row + "]"));
      factors.push_back(arithmetic::number(use.right, by));
      add_term(step, tokens[static_cast<std::size_t>(use.token)], std::move(factors));
    }
    if (uses.empty()) step.text = wording("training:update.gradient.unused", {{"sequence", sequence}});
    add(std::move(step));
    hydra::Step batch = step_of(wording("training:update.batch"), "g = Σₛ gₛ");
    for (Index s = 0; s < opened_.sequences(); ++s) {
      opened_.uses(cell_, s, uses);
      double sum = 0;
      for (const OpenedStep::Use& use : uses) sum += use.left * use.right;
      add_term(batch, wording("training:update.sequence", {{"sequence", s + 1}}), {arithmetic::number(sum, "gₛ")});
    }
    gradient_ = add(std::move(batch));
  }

  void clip() {
    const double factor = opened_.clip();
    if (factor == 1) return;
    const std::string most = short_text(optimizer_.clip);
    gradient_ =
        one(wording("training:update.clip", {{"norm", short_text(opened_.scores().gradient_norm)}, {"most", most}}),
            wording("training:update.clip.formula", {{"most", most}}), Combine::product,
            {arithmetic::number(gradient_, "g"), arithmetic::number(factor, wording("training:update.clip.by"))});
  }

  double adam() {
    const double b1 = optimizer_.beta_1, b2 = optimizer_.beta_2, g = gradient_;
    const double m_before = moment_before(Facet::first_moment), v_before = moment_before(Facet::second_moment);
    hydra::Step first = step_of(wording("training:update.first_moment"), "m = β₁ m + (1 − β₁) g");
    add_term(first, wording("training:update.before"),
             {arithmetic::number(b1, "β₁"), arithmetic::number(m_before, "m")});
    add_term(first, wording("training:update.now"), {arithmetic::number(1 - b1, "1 − β₁"), arithmetic::number(g, "g")});
    const double m = add(std::move(first));
    hydra::Step second = step_of(wording("training:update.second_moment"), "v = β₂ v + (1 − β₂) g²");
    add_term(second, wording("training:update.before"),
             {arithmetic::number(b2, "β₂"), arithmetic::number(v_before, "v"), arithmetic::number(1, "")});
    add_term(second, wording("training:update.now"),
             {arithmetic::number(1 - b2, "1 − β₂"), arithmetic::number(g, "g"), arithmetic::number(g, "g")});
    const double v = add(std::move(second));
    const int t = opened_.step() + 1;
    const std::string power = std::to_string(t);
    const double m_hat =
        one(wording("training:update.began", {{"steps", t}}), "m̂ = m / (1 − β₁^" + power + ")", Combine::quotient,
            {arithmetic::number(m, "m"), arithmetic::number(1 - std::pow(b1, t), "1 − β₁^t")});
    const double v_hat = one("", "v̂ = v / (1 − β₂^" + power + ")", Combine::quotient,
                             {arithmetic::number(v, "v"), arithmetic::number(1 - std::pow(b2, t), "1 − β₂^t")});
    const double root =
        one(wording("training:update.root"), "√v̂", Combine::square_root, {arithmetic::number(v_hat, "v̂")});
    return one(wording("training:update.direction"), "m̂ / (√v̂ + ε)", Combine::quotient,
               {arithmetic::number(m_hat, "m̂"), arithmetic::number(root + optimizer_.epsilon, "√v̂ + ε")});
  }

  double velocity() {
    hydra::Step step = step_of(wording("training:update.velocity"), wording("training:update.velocity.formula"));
    add_term(step, wording("training:update.before"),
             {arithmetic::number(optimizer_.momentum, wording("training:update.momentum")),
              arithmetic::number(moment_before(Facet::first_moment), "v")});
    add_term(step, wording("training:update.now"), {arithmetic::number(1, "1"), arithmetic::number(gradient_, "g")});
    return add(std::move(step));
  }

  void change(double along) {
    const Rate rate = opened_.rate();
    double now = rate.rate;
    if (rate.warm_up != 1 || rate.schedule != 1)
      now = one(wording("training:update.rate"), "", Combine::product,
                {arithmetic::number(rate.rate, wording("training:update.term.rate")),
                 arithmetic::number(rate.warm_up, wording("training:update.warm_up")),
                 arithmetic::number(rate.schedule, wording("training:update.schedule"))});
    const double before = number(Facet::before);
    const bool decays = learn::decays(optimizer_, *opened_.place(cell_.site));
    hydra::Step step = step_of(wording("training:update.change"), wording("training:update.change.formula"));
    add_term(step, decays ? wording("training:update.term.gradient") : std::string(),
             {arithmetic::number(-now, wording("training:update.minus_rate")),
              arithmetic::number(along, optimizer_.kind == Optimizer::sgd ? "v" : "u")});
    if (decays) {
      step.text = wording("training:update.change.decay");
      step.formula = wording("training:update.change.decay.formula");
      add_term(step, wording("training:update.decay"),
               {arithmetic::number(-now * optimizer_.decay, wording("training:update.minus_rate_decay")),
                arithmetic::number(before, "w")});
    }
    const double by = add(std::move(step));
    hydra::Step after = step_of(wording("training:update.after"), wording("training:update.after.formula"));
    add_term(after, wording("training:update.before"), {arithmetic::number(before, "w")});
    add_term(after, wording("training:update.term.change"),
             {arithmetic::number(by, wording("training:update.term.change"))});
    add(std::move(after));
  }

  double moment_before(Facet facet) const { return opened_.moment_before(cell_, facet); }

  static std::string short_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
  }

  const OpenedStep& opened_;
  Cell cell_;
  Index sequence_;
  const OptimizerSettings& optimizer_;
  double gradient_ = 0;
  Steps steps_;
};

}  // namespace

Explanation explain_update(const OpenedStep& opened, const Cell& cell, Index sequence) {
  Explanation made;
  made.cell = cell;
  const bool row = is_bias(cell.site.quantity);
  const std::string place =
      symbol(cell.site) + "[" + (row ? "" : std::to_string(cell.row) + ", ") + std::to_string(cell.col) + "]";
  made.title = wording("training:update.title", {{"place", place}, {"step", opened.step() + 1}});
  made.steps = Update(opened, cell, sequence).steps();
  made.value =
      static_cast<double>(opened.number(cell, Facet::before)) + static_cast<double>(opened.number(cell, Facet::change));
  return made;
}

}  // namespace hydra::learn

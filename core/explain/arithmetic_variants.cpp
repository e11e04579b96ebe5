// The arithmetic of variants of attention: rotary positions, gates of the output, talking heads, differential
// attention.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "core/explain/arithmetic.h"
#include "core/ops/rotate.h"

namespace hydra::arithmetic {

Steps explain_rotate(const Context& c, const ProgramNode& node) {
  const rotate::Rotation by = rotate::rotation_of(c.input().settings, c.input().d_k());
  const Site X = c.operand_site(node.reads()[0]);
  const Index col = c.cell.col, pair = rotate::pair_of(by, col),
              place = std::max<Index>(0, c.input().place(c.cell.row));
  const std::string letter = element(X.quantity), row = row_of(c, X.quantity);
  const auto at = [&](Index k) { return entry(c.trace, {X, c.cell.row, k}, letter + "[" + std::to_string(k) + "]"); };
  if (!rotate::is_turned(by, col)) {
    Step step = step_of(by.part == 0 ? wording("core:arithmetic.not_rotated", {{"row", row}, {"n", by.width}})
                                     : wording("core:arithmetic.not_rotated.halves", {{"row", row}, {"n", by.width}}),
                        letter + "[" + std::to_string(col) + "]");
    add_term(step, "", {at(col)});
    return {step};
  }
  Step angle = step_of(wording("core:arithmetic.pair_angle", {{"pair", pair}, {"place", place}}),
                       wording("core:arithmetic.pair_angle.formula"));
  add_term(angle, "",
           {number(static_cast<double>(place), "i"),
            number(rotate::frequency(by, pair), by.scaling == RotaryScaling::none
                                                    ? wording("core:arithmetic.frequency")
                                                    : wording("core:arithmetic.frequency.scaled"))});
  Step cosine = step_of(wording("core:arithmetic.cosine"), wording("core:arithmetic.cosine.formula"), Combine::cosine);
  Step sine = step_of(wording("core:arithmetic.sine"), wording("core:arithmetic.sine.formula"), Combine::sine);
  add_term(cosine, "", {number(angle.result, wording("core:arithmetic.angle"))});
  add_term(sine, "", {number(angle.result, wording("core:arithmetic.angle"))});
  const bool first = rotate::is_first(by, col);
  Step rotated = step_of(
      wording("core:arithmetic.rotated", {{"row", row}}),
      first ? wording("core:arithmetic.rotated.first.formula") : wording("core:arithmetic.rotated.second.formula"));
  add_term(rotated, first ? "a" : "b", {at(col), number(cosine.result, "cos")});
  add_term(rotated, first ? "b" : "a",
           {at(rotate::partner_of(by, col)), number(first ? -sine.result : sine.result, first ? "−sin" : "sin")});
  Steps steps{std::move(angle), std::move(cosine), std::move(sine), std::move(rotated)};
  if (by.magnitude != 1) {
    Step grown = step_of(wording("core:arithmetic.magnitude"), wording("core:arithmetic.magnitude.formula"));
    add_term(grown, "", {number(by.magnitude, "m"), number(steps.back().result, "u")});
    steps.push_back(std::move(grown));
  }
  return steps;
}

Steps explain_open(const Context& c, const ProgramNode& node) {
  Step dot = row_times_column(c, c.operand_site(node.reads()[0]), c.operand_site(node.reads()[1]));
  Step gate = step_of(wording("core:arithmetic.open"), "1 / (1 + exp(−u))", Combine::sigmoid);
  add_term(gate, "", {number(dot.result, "u")});
  return {std::move(dot), std::move(gate)};
}

Steps explain_multiply(const Context& c, const ProgramNode& node) {
  if (Steps given = not_computed(c); !given.empty()) return given;
  const Site left = c.operand_site(node.reads()[0]), right = c.operand_site(node.reads()[1]);
  const bool of_head = has_column_of_head(node, right.quantity);
  const NodeList& program = program_at(c.trace, c.cell.site);
  const bool gates = program.makes(right.quantity) && program.node_of(right.quantity).operation == Operation::open;
  Step step =
      step_of(!gates    ? wording("core:arithmetic.multiply", {{"left", symbol(left)}, {"right", symbol(right)}})
              : of_head ? wording("core:arithmetic.multiply.head", {{"head", c.head()}, {"query", c.query()}})
                        : wording("core:arithmetic.multiply.element", {{"head", c.head()}, {"query", c.query()}}),
              element(left.quantity) + " " + element(right.quantity));
  const Cell factor{right, c.cell.row, of_head ? c.cell.site.head : c.cell.col};
  add_term(step, "",
           {entry(c.trace, {left, c.cell.row, c.cell.col}, element(left.quantity)),
            entry(c.trace, factor, element(right.quantity))});
  return {std::move(step)};
}

namespace {
// The key, or else the query, that is hidden because it is a pad; none: the mask hides it.
std::optional<std::string> pad_among(const Context& c) {
  const Index pads = c.input().mask.first;
  if (c.cell.col < pads) return c.key();
  return c.cell.row < pads ? std::optional(c.query()) : std::nullopt;
}
}  // namespace

Steps hidden_score(const Context& c) {
  if (const auto pad = pad_among(c))
    return {statement(wording("core:arithmetic.hidden_score.pad", {{"pad", *pad}}), c.value())};
  return {statement(wording("core:arithmetic.hidden_score", {{"key", c.key()}, {"query", c.query()}}), c.value())};
}

Steps hidden_weight(const Context& c) {
  if (const auto pad = pad_among(c))
    return {statement(wording("core:arithmetic.hidden_weight.pad", {{"pad", *pad}}), c.value())};
  return {statement(wording("core:arithmetic.hidden_weight", {{"key", c.key()}, {"query", c.query()}}), c.value())};
}

Steps painted_weight(const Context& c) {
  return {statement(wording("core:arithmetic.painted_weight", {{"query", c.query()}}), c.value())};
}

Steps not_computed(const Context& c) {
  const Quantity quantity = c.cell.site.quantity;
  if (!is_score(quantity) && !is_attention(quantity)) return {};
  if (!c.input().sees(c.cell.site.head, c.cell.row, c.cell.col))
    return is_score(quantity) ? hidden_score(c) : hidden_weight(c);
  return c.by_hand() ? painted_weight(c) : Steps{};
}

void add_cap(Steps& steps, double cap, const std::string& what) {
  const std::string part = wording("core:arithmetic.cap.share.formula", {{"what", what}});
  Step share = step_of(wording("core:arithmetic.cap.share"), part, Combine::quotient);
  add_term(share, "", {number(steps.back().result, what), number(cap, "c")});
  steps.push_back(std::move(share));
  Step squashed = step_of(wording("core:arithmetic.cap.tanh"),
                          wording("core:arithmetic.cap.tanh.formula", {{"what", what}}), Combine::hyperbolic_tangent);
  add_term(squashed, "", {number(steps.back().result, part)});
  Step capped = step_of(wording("core:arithmetic.cap", {{"what", what}}),
                        wording("core:arithmetic.cap.formula", {{"what", what}}));
  add_term(capped, "", {number(cap, "c"), number(squashed.result, "tanh")});
  steps.push_back(std::move(squashed));
  steps.push_back(std::move(capped));
}

Steps explain_talk(const Context& c, const ProgramNode& node) {
  if (Steps given = not_computed(c); !given.empty()) return given;
  const bool scores = is_score(node.result);
  const Quantity own = node.reads()[0];
  const Site P = c.operand_site(node.reads()[1]);
  const int head = c.cell.site.head;
  const std::string letter = element(own);
  Step step = step_of(
      scores ? wording("core:arithmetic.talk.scores", {{"head", c.head()}, {"query", c.query()}, {"key", c.key()}})
             : wording("core:arithmetic.talk.weights", {{"head", c.head()}, {"query", c.query()}, {"key", c.key()}}),
      "Σᵢ " + symbol(P) + "[" + std::to_string(head) + ", i] " + letter + "[i]");
  for (int i = 0; i < static_cast<int>(c.layer.heads.size()); ++i)
    add_term(step, wording("core:head", {{"number", i + 1}}),
             {entry(c.trace, {P, head, i}, "p"),
              entry(c.trace, {{own, c.cell.site.layer, i}, c.cell.row, c.cell.col}, letter + subscript(i + 1))});
  return {std::move(step)};
}

namespace {
std::string rate_text(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", rate);
  return text;
}
}  // namespace

Steps explain_drop(const Context& c, const ProgramNode& node) {
  if (!c.input().mask_of(c.cell.site.head).allows(c.cell.row, c.cell.col)) return hidden_weight(c);
  const LayerSettings& settings = c.input().settings;
  const std::string seed = std::to_string(settings.dropout_seed), rate = rate_text(settings.dropout);
  if (dropout::Row(c.input().dropout_rule(c.cell.site.head), c.input().place(c.cell.row))
          .factor(c.input().place(c.cell.col)) == 0)
    return {statement(wording("core:arithmetic.dropped", {{"rate", rate}, {"seed", seed}}), c.value())};
  Step step =
      step_of(wording("core:arithmetic.kept", {{"rate", rate}, {"seed", seed}}), "a / (1 − p)", Combine::quotient);
  add_term(step, "",
           {entry(c.trace, {c.operand_site(node.reads()[0]), c.cell.row, c.cell.col}, "a"),
            number(1 - settings.dropout, "1 − p")});
  return {std::move(step)};
}

Steps explain_lambda(const Context& c, const ProgramNode& node) {
  Steps steps;
  std::array<double, 2> made{};
  for (const std::size_t pair : {0, 1}) {
    const Site q = c.operand_site(node.reads()[2 * pair]), k = c.operand_site(node.reads()[2 * pair + 1]);
    Step dot = step_of(pair == 0 ? wording("core:arithmetic.lambda.first") : wording("core:arithmetic.lambda.second"),
                       "Σₖ " + symbol(q) + "[k] " + symbol(k) + "[k]");
    for (Index at = 0; at < shape_of(c.trace, q).cols; ++at) {
      const std::string index = "[" + std::to_string(at) + "]";
      add_term(dot, index_label(at),
               {entry(c.trace, {q, 0, at}, symbol(q) + index), entry(c.trace, {k, 0, at}, symbol(k) + index)});
    }
    Step above = step_of(wording("core:arithmetic.lambda.exponential"),
                         wording("core:arithmetic.lambda.exponential.formula"), Combine::exponential);
    add_term(above, "", {number(dot.result, wording("core:arithmetic.sum"))});
    made[pair] = above.result;
    steps.push_back(std::move(dot));
    steps.push_back(std::move(above));
  }
  Step lambda = step_of(wording("core:arithmetic.lambda"), "exp₁ − exp₂ + λ₀");
  add_term(lambda, wording("core:arithmetic.first"), {number(made[0], "exp₁")});
  add_term(lambda, wording("core:arithmetic.second"), {number(-1, "−1"), number(made[1], "exp₂")});
  add_term(lambda, wording("core:arithmetic.begins_as"), {number(c.input().settings.lambda_0, "λ₀")});
  steps.push_back(std::move(lambda));
  return steps;
}

Steps explain_subtract(const Context& c, const ProgramNode& node) {
  if (Steps given = not_computed(c); !given.empty()) return given;
  const Site first = c.operand_site(node.reads()[0]), second = c.operand_site(node.reads()[1]),
             lambda = c.operand_site(node.reads()[2]);
  Step step = step_of(wording("core:arithmetic.subtract", {{"query", c.query()}, {"key", c.key()}}), "a° − λ a'");
  add_term(step, wording("core:arithmetic.first"), {entry(c.trace, {first, c.cell.row, c.cell.col}, "a°")});
  add_term(
      step, wording("core:arithmetic.second"),
      {number(-1, "−1"), entry(c.trace, {lambda, 0, 0}, "λ"), entry(c.trace, {second, c.cell.row, c.cell.col}, "a'")});
  return {std::move(step)};
}

}  // namespace hydra::arithmetic

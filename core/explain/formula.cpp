// Formulas: the program, written out with the letters of its quantities.
#include <cassert>
#include <cstdio>

#include "core/explain/quantity.h"
#include "core/model/program.h"
#include "core/ops/rotate.h"
#include "core/short_number.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// What one formula is written with.
struct Writing {
  const Trace& trace;
  Site site;
  bool whole = false;  // what is made of products on the way is written out: "softmax(S)" as "softmax((X W_Q) ...)"

  const LayerInput<float>& input() const { return trace.layer(site.layer).input; }
  Site operand_site(Quantity quantity) const { return operand_of(trace, site, quantity); }
  // X by the layer's own program is a sum.
  static bool of_model(const ProgramNode& node) { return entry_of(node.result).scope == QuantityRow::Scope::model; }
  NormKind norm_kind(const ProgramNode& node) const {
    return of_model(node) ? norm_kind_of(node, trace.model.settings) : norm_kind_of(node, input().settings);
  }
  Activation activation(const ProgramNode& node) const {
    return of_model(node) ? trace.model.settings.transform_activation : input().settings.activation;
  }
  std::string name(Quantity quantity) const { return symbol(operand_site(quantity)); }
  // As an operand in brackets or alone, and as a factor.
  std::string operand(Quantity quantity) const;
  std::string factor(Quantity quantity) const;
  std::string shared(const std::string& formula) const {
    const std::string heads = whole ? "" : sharing_heads(trace, site);
    return heads.empty() ? formula : wording("core:formula.shared", {{"formula", formula}, {"heads", heads}});
  }
  // " + b" of operands that the document may leave out.
  std::string plus(std::span<const Quantity> operands) const {
    std::string text;
    for (const Quantity operand : operands)
      if (exists(trace, operand_site(operand))) text += " + " + name(operand);
    return text;
  }
  std::string gate() const {
    return site.head != kNoHead && input().gate(site.head) != 1 ? "g" + subscript(site.head + 1) + " " : "";
  }
  // "A₁ … A₈", with a letter before each that is numbered like it.
  std::string all_heads(Quantity quantity, const std::string& factor = "") const {
    const auto one = [&](Index head) {
      return (factor.empty() ? "" : factor + subscript(head + 1)) +
             symbol({quantity, site.layer, static_cast<int>(head)});
    };
    const Index heads = input().heads;
    if (heads == 1) return one(0);
    return one(0) + " " + (heads > 2 ? "… " : "") + one(heads - 1);
  }
};

// Whether some token is made of several words.
bool has_sums(const IndexLists& rows) {
  for (Index i = 0; i < rows.size(); ++i)
    if (rows.of(i).size() > 1) return true;
  return false;
}

std::string printed(const char* format, float value) {
  char text[32];
  std::snprintf(text, sizeof text, format, static_cast<double>(value));
  return text;
}

// The product of queries and keys, and what it is divided by, multiplied with, capped by and added to; biases: the name
// of those by offset, or nothing.
std::string of_scores(const LayerInput<float>& input, Index head, std::string text, const std::string& biases) {
  const std::string root = "√" + std::to_string(input.score_width()),
                    temperature = printed("%g", static_cast<float>(input.temperature_of(head)));
  if (input.settings.scale && input.temperature_of(head) != 1)
    text += " / (" + root + " · " + temperature + ")";
  else if (input.settings.scale)
    text += " / " + root;
  else if (input.temperature_of(head) != 1)
    text += " / " + temperature;
  if (input.slice_factor != 1) text += " · " + printed("%.4g", input.slice_factor);
  if (const auto cap = static_cast<float>(input.settings.soft_cap); cap != 0)
    text = printed("%g tanh(", cap) + text + printed(" / %g)", cap);
  if (input.settings.alibi) text += printed(" − %.4g (i − j)", input.score_rule(head).slope);
  if (!biases.empty()) text += " + " + biases + "[" + std::to_string(head) + ", j − i]";
  if (input.mask_of(head).may_hide()) text += " + M";
  return text;
}

// "Q₁ K₁ᵀ (columns 0–3)"
std::string in_columns(Half half, Index d_k, const std::string& product) {
  if (half == Half::none) return product;
  const Range cols = columns_of(half, d_k);
  return wording("core:formula.columns", {{"product", product}, {"first", cols.first}, {"last", cols.last - 1}});
}

std::string of_norm(const Writing& w, const ProgramNode& node) {
  const LayerSettings& settings = w.input().settings;
  const std::string X = w.name(node.reads()[0]);
  std::string text;
  if (norm_factor_of(node, settings) != 1)
    text = "(1 − " + printed("%.4g", static_cast<float>(settings.lambda_0)) + ") ";
  text += w.norm_kind(node) == NormKind::layer ? wording("core:formula.norm.layer", {{"input", X}})
                                               : wording("core:formula.norm.rms", {{"input", X}});
  text = w.shared(text + " ⊙ " + w.name(node.reads()[1]) + w.plus(node.reads().subspan(2)));
  if (hears_all_heads(node, settings)) return wording("core:formula.norm.all_heads", {{"formula", text}});
  return norm_parts_of(node, settings) > 1 ? wording("core:formula.norm.halves", {{"formula", text}}) : text;
}

// What is said of a rotation, and what makes its angles smaller and its numbers larger.
std::string scaled(const rotate::Rotation& by, std::string text) {
  if (by.scaling == RotaryScaling::none) return text;
  const std::string factor = printed("%g", static_cast<float>(by.factor));
  text = by.scaling == RotaryScaling::linear
             ? wording("core:formula.rotated.scaled", {{"text", text}, {"factor", factor}})
             : wording("core:formula.rotated.scaled.slow", {{"text", text}, {"factor", factor}});
  if (by.magnitude == 1) return text;
  return wording("core:formula.rotated.magnitude",
                 {{"text", text}, {"magnitude", printed("%.4g", static_cast<float>(by.magnitude))}});
}

std::string of_rotation(const Writing& w, const ProgramNode& node) {
  const rotate::Rotation by = rotate::rotation_of(w.input().settings, w.input().d_k());
  const auto said = [&](const std::string& text) { return w.shared(scaled(by, text)); };
  const std::string input = w.name(node.reads()[0]), base = short_number(by.base);
  const Index width = by.width;
  if (width < w.input().score_width() / 2 * 2)
    return said(by.part == 0 ? wording("core:formula.rotated.columns",
                                       {{"input", input}, {"base", base}, {"width", width}, {"last", width - 1}})
                             : wording("core:formula.rotated.columns.halves",
                                       {{"input", input}, {"base", base}, {"width", width}, {"last", width - 1}}));
  return said(by.part == 0
                  ? wording("core:formula.rotated", {{"input", input}, {"base", base}, {"width", width}})
                  : wording("core:formula.rotated.halves", {{"input", input}, {"base", base}, {"width", width}}));
}

// Capped, where logits are.
std::string of_logits(const Writing& w, const ProgramNode& node, const std::string& product) {
  const auto cap = static_cast<float>(w.trace.model.settings.logit_cap);
  if (node.result != Quantity::logits || cap == 0) return product;
  return printed("%g tanh((", cap) + product + printed(") / %g)", cap);
}

std::string of_node(const Writing& w, const ProgramNode& node) {
  const std::span<const Quantity> reads = node.reads();
  const auto name = [&](std::size_t operand) { return w.name(reads[operand]); };
  const auto factor = [&](std::size_t operand) { return w.factor(reads[operand]); };
  const std::string gate = node.gated ? w.gate() : "";
  const LayerSettings& settings = w.input().settings;
  switch (node.operation) {
    case Operation::add:
      if (!is_sum_over_heads(node)) return name(0) + w.plus(reads.subspan(1));
      return "C W_O" + w.plus(reads.subspan(1));  // the heads' parts, all at once
    case Operation::linear:
      return of_logits(w, node, w.shared(gate + name(0) + " " + name(1) + w.plus(reads.subspan(2))));
    case Operation::norm:
      return of_norm(w, node);
    case Operation::rotate:
      return of_rotation(w, node);
    case Operation::activate:
      return std::string(entry_of(LayerSetting::activation).names[static_cast<std::size_t>(w.activation(node))]) + "(" +
             name(0) + ")" + (reads.size() > 1 ? " ⊙ " + name(1) : "");
    case Operation::open:
      return "sigmoid(" + name(0) + " " + name(1) + ")";
    case Operation::multiply:
      return name(0) + " ⊙ " + name(1) +
             (has_column_of_head(node, reads[1]) ? "[:, " + std::to_string(w.site.head) + "]" : "");
    case Operation::outer:
      return of_logits(w, node, name(0) + " " + name(1) + "ᵀ" + w.plus(reads.subspan(2)));
    case Operation::scores:
      return of_scores(w.input(), w.site.head,
                       in_columns(node.half, w.input().d_k(), factor(0) + " " + factor(1) + "ᵀ"),
                       reads.size() > 2 ? name(2) : "");
    case Operation::drop:
      return wording("core:formula.dropped", {{"input", name(0)},
                                              {"rate", printed("%g", static_cast<float>(settings.dropout))},
                                              {"seed", settings.dropout_seed}});
    case Operation::lambda:
      return "exp(" + name(0) + " · " + name(1) + ") − exp(" + name(2) + " · " + name(3) + ") + " +
             printed("%.4g", static_cast<float>(settings.lambda_0));
    case Operation::subtract:
      return name(0) + " − " + name(2) + " " + name(1);
    case Operation::softmax:
      if (node.result == Quantity::probabilities && w.trace.model.next_words.parts() > 1)
        return wording("core:formula.each_question", {{"formula", "softmax(" + name(0) + ")"}});
      if (settings.sink == SinkKind::none) return "softmax(" + w.operand(reads[0]) + ")";
      if (settings.sink == SinkKind::zero) return "exp(" + name(0) + ") / (1 + Σ exp " + name(0) + ")";
      return wording("core:formula.without_last_column",
                     {{"formula", "softmax([" + name(0) + ", " + name(1) + "[" + std::to_string(w.site.head) + "]])"}});
    case Operation::talk:
      return name(1) + "[" + std::to_string(w.site.head) + ", :] · (" + w.all_heads(reads[0]) + ")";
    case Operation::mix:
      return factor(0) + " " + factor(1);
    case Operation::weigh: {
      const std::string weighed = gate + name(0) + "[i, j] ‖" + name(1) + "[j] " + name(2) + "‖";
      if (settings.differential) return wording("core:formula.before_norm", {{"formula", weighed}});
      if (settings.output_gate == OutputGate::none) return weighed;
      return wording("core:formula.before_gates", {{"formula", weighed}});
    }
    case Operation::mean:
      return wording("core:formula.mean", {{"heads", w.all_heads(reads[0])}});
    case Operation::lookup:
      if (node.result == Quantity::types) return wording("core:formula.lookup.type", {{"table", name(0)}});
      if (node.result != Quantity::embedding) return wording("core:formula.lookup.place", {{"table", name(0)}});
      return has_sums(w.trace.model.rows) ? wording("core:formula.lookup.words", {{"table", name(0)}})
                                          : wording("core:formula.lookup.word", {{"table", name(0)}});
    case Operation::join:
      return "[" + w.all_heads(reads[0], w.input().gates.empty() ? "" : "g") + "]";
  }
  assert(false);
  return {};
}

// The node of a head that is written out where it is an operand; null: its name is.
const ProgramNode* written_out(const Writing& w, Quantity quantity) {
  const Site site = w.operand_site(quantity);
  if (!w.whole || is_parameter(quantity) || !has_head(quantity) || !program_at(w.trace, site).makes(quantity))
    return nullptr;
  const ProgramNode& node = program_at(w.trace, site).node_of(quantity);
  const bool softmax = node.operation == Operation::softmax && w.input().settings.sink == SinkKind::none;
  const bool product = node.operation == Operation::linear || node.operation == Operation::scores;
  return softmax || product ? &node : nullptr;
}

std::string Writing::operand(Quantity quantity) const {
  const ProgramNode* const node = written_out(*this, quantity);
  return node ? of_node({trace, operand_site(quantity), true}, *node) : name(quantity);
}

std::string Writing::factor(Quantity quantity) const {
  const ProgramNode* const node = written_out(*this, quantity);
  const bool bracketed = node && node->operation != Operation::softmax;
  return bracketed ? "(" + operand(quantity) + ")" : operand(quantity);
}

// A weight or bias, which is what it is; of a head, its place in the whole.
std::string of_parameter(const Writing& w) {
  const bool bias = may_be_absent(w.site.quantity);
  if (w.site.head == kNoHead)
    return bias                       ? wording("core:formula.bias")
           : is_bias(w.site.quantity) ? wording("core:formula.row")
                                      : wording("core:formula.weight");
  const Cell whole = *editable_cell(w.trace, {w.site, 0, 0});
  const bool by_rows = entry_of(w.site.quantity).rows == Axis::head_dim;
  const Index first = by_rows ? whole.row : whole.col, last = first + w.input().d_k() - 1;
  const std::string matrix = symbol(whole.site);
  return w.shared(is_bias(w.site.quantity)
                      ? wording("core:formula.entries_of", {{"first", first}, {"last", last}, {"bias", matrix}})
                  : by_rows
                      ? wording("core:formula.rows_of", {{"first", first}, {"last", last}, {"matrix", matrix}})
                      : wording("core:formula.columns_of", {{"first", first}, {"last", last}, {"matrix", matrix}}));
}

}  // namespace

std::string formula_of_head(const Trace& trace, int layer, int head) {
  const Site concat{Quantity::concat, layer};
  const Site output{program_at(trace, concat).node_of(Quantity::concat).reads()[0], layer, head};
  const ProgramNode& node = program_at(trace, output).node_of(output.quantity);
  const std::string text = symbol(output) + " = " + of_node({trace, output, true}, node);
  return text + ",   " + formula(trace, concat) + ",   " + formula(trace, {Quantity::Y, layer});
}

std::string formula(const Trace& trace, const Site& ref) {
  const Writing writing{trace, ref};
  const std::string name = symbol(ref), begin = name + " = ";
  if (ref.quantity == Quantity::E) return begin + wording("core:formula.table.words");
  if (ref.quantity == Quantity::P) return begin + wording("core:formula.table.places");
  if (ref.quantity == Quantity::T) return begin + wording("core:formula.table.types");
  if (is_parameter(ref.quantity)) return begin + of_parameter(writing);
  const bool looked_up = is_of_model(ref.quantity) && trace.model.program().makes(ref.quantity);
  if (ref.quantity == Quantity::embedding && !looked_up)
    return begin + (trace.layout ? wording("core:formula.features") : wording("core:formula.embedding"));
  if (ref.quantity == Quantity::positions && !looked_up)
    return trace.layout ? begin + wording("core:formula.waves")
                        : name + "[i, 2k] = sin(i / 10000^(2k/d)), " + name + "[i, 2k+1] = cos(…)";
  if (ref.quantity == Quantity::X && ref.layer > 0)
    return begin + wording("core:formula.layer_before", {{"symbol", symbol(leaves_of(trace, ref.layer - 1))}});
  const ProgramNode& node = program_at(trace, ref).node_of(ref.quantity);
  return (node.operation == Operation::weigh ? name + "[i, j] = " : begin) + of_node(writing, node);
}

}  // namespace hydra

#include "core/explain/overflow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/linalg/largest.h"
#include "core/model/program.h"
#include "core/ops/rotate.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// The largest |value| of each weight and of what it reads: looked at once, and taken from the trace before after that.
class Sizes {
 public:
  Sizes(const Trace* previous, ArraySizes& now) : now_(now) {
    if (previous) before_ = &previous->sizes;
  }
  double of(const Array<float>& values) {
    if (!values) return 0;
    const std::size_t k = now_.size();
    const bool known = before_ && k < before_->size() && (*before_)[k].first == values.stamp();
    now_.emplace_back(values.stamp(), known ? (*before_)[k].second : largest_finite_of(values));
    return now_.back().second;
  }

 private:
  const ArraySizes* before_ = nullptr;
  ArraySizes& now_;
};

// The largest that |value| of each quantity of a layer can be, by the sizes of what goes into it alone.
class Bounds {
 public:
  Bounds(const BlockTrace<float>& block, const LayerInput<float>& input, Sizes& sizes) : input_(input), sizes_(sizes) {
    for (const float gate : input.gates) gate_ = std::max(gate_, static_cast<double>(gate));
    for (const ProgramNode& node : program_of(input.settings).nodes) {
      if (is_asked(node.result)) continue;
      double& bound = bounds_[static_cast<std::size_t>(node.result)];
      bound = node.result == Quantity::X ? sizes_.of(block.input) : of(node) * (node.gated ? gate_ : 1);
      for (const PaintedHead<float>& head : input.painted)
        if (const std::vector<PaintedRow<float>>* rows = painted_rows(head, node.result))
          for (const PaintedRow<float>& row : *rows) bound = std::max(bound, sizes_.of(row.values));
      largest_ = std::max(largest_, bound);
    }
  }
  double largest() const { return largest_; }

 private:
  double operand(const ProgramNode& node, std::size_t k) {
    if (k >= node.reads().size()) return 0;
    const Quantity quantity = node.reads()[k];
    const Array<float>* parameter = field_of(input_.weights, quantity);
    return parameter ? sizes_.of(*parameter) : bounds_[static_cast<std::size_t>(quantity)];
  }

  double of(const ProgramNode& node) {
    const auto d_k = static_cast<double>(input_.d_k());
    const double first = operand(node, 0), second = operand(node, 1), third = operand(node, 2);
    switch (node.operation) {
      case Operation::linear: {
        const Axis along = entry_of(node.reads()[1]).rows;
        const Index terms = along == Axis::hidden_dim ? input_.settings.feed_forward_width : input_.d_model();
        return first * second * (along == Axis::head_dim ? d_k : static_cast<double>(terms)) + third;
      }
      case Operation::scores:
        return first * second * d_k * std::max(1.0, largest_factor()) +
               (input_.settings.alibi ? static_cast<double>(input_.n()) : 0) + third;
      case Operation::softmax:
      case Operation::open:
        return 1;
      case Operation::lambda: {
        const double half = d_k / 2;
        return std::exp(half * first * second) + std::exp(half * third * operand(node, 3)) + input_.settings.lambda_0;
      }
      case Operation::subtract:
        return first + second * third;
      case Operation::multiply:
        return first * second;
      case Operation::drop:
        return first / (1 - input_.settings.dropout);
      case Operation::talk:
        return first * second * static_cast<double>(input_.heads);
      case Operation::mix:  // the weights of a row sum to no more than the largest can be, but where they may be
                            // negative
        return second * first * (is_signed(input_.settings) ? static_cast<double>(input_.n()) : 1);
      case Operation::add:
        return first * (is_sum_over_heads(node) ? static_cast<double>(input_.heads) : 1) + second + third;
      case Operation::norm: {  // of numbers whose squares a double holds; the largest has the whole row's size
        const double of_head = d_k * (hears_all_heads(node, input_.settings) ? static_cast<double>(input_.heads) : 1);
        const double row = std::sqrt(has_head(node.result) ? of_head : static_cast<double>(input_.d_model()));
        return row * second + third;
      }
      case Operation::rotate:
        return 2 * first * rotate::rotation_of(input_.settings, input_.d_k()).magnitude;
      case Operation::activate:
        return (input_.settings.activation == Activation::relu_squared ? first * first : first) *
               (node.reads().size() > 1 ? second : 1);
      default:
        return first;
    }
  }

  double largest_factor() const {
    float largest = input_.score_factor(0);
    for (Index h = 1; h < std::ssize(input_.own); ++h) largest = std::max(largest, input_.score_factor(h));
    return static_cast<double>(largest);
  }

  const LayerInput<float>& input_;
  Sizes& sizes_;
  std::array<double, kQuantities> bounds_{};
  double gate_ = 1, largest_ = 0;
};

// With room for what rounding does.
bool cannot_overflow(const Trace& trace, int layer, Sizes& sizes) {
  return Bounds(trace.block(layer), trace.layer(layer).input, sizes).largest() < 1e38;
}

// The first number that is not finite, row by row; of scores, that the mask does not hide.
std::optional<std::pair<Index, Index>> first_in(MatIn<float> values, const Mask* mask) {
  if (!mask && values.allFinite()) return std::nullopt;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j)) && (!mask || mask->allows(i, j))) return std::pair(i, j);
  return std::nullopt;
}

// In what the program makes, from top to bottom: of a head, or of the layer.
std::optional<Cell> first_in(const Trace& trace, int layer, int head) {
  for (const ProgramNode& node : program_of(trace.layer(layer).input.settings).nodes) {
    if (!is_kept(node, head != kNoHead)) continue;
    const Site site{node.result, layer, head};
    const Mask* mask = is_score(node.result) ? &trace.layer(layer).input.mask_of(head) : nullptr;
    if (const auto place = first_in(*array_once(trace, site), mask)) return Cell{site, place->first, place->second};
  }
  return std::nullopt;
}

std::string source_of(const Trace& trace, const Site& site) {
  const ProgramNode& node = program_at(trace, site).node_of(site.quantity);
  if (node.operation == Operation::scores) return wording("core:overflow.scores");
  if (node.operation == Operation::subtract) return wording("core:overflow.subtract");
  if (node.operation == Operation::lambda) return wording("core:overflow.lambda");
  if (node.operation != Operation::linear && node.operation != Operation::outer) return wording("core:overflow.sum");
  return wording("core:overflow.linear",
                 {{"left", entry_of(node.reads()[0]).letter}, {"right", entry_of(node.reads()[1]).letter}});
}

std::string with_consequence(const std::string& what, const Overflow& overflow, const Trace& trace) {
  const Cell& cell = overflow.cell;
  const bool logits = cell.site.quantity == Quantity::logits;
  const bool softmaxed = std::ranges::any_of(program_at(trace, cell.site).nodes, [&](const ProgramNode& node) {
    return node.operation == Operation::softmax && node.reads()[0] == cell.site.quantity;
  });
  if (!softmaxed) return what;
  if (overflow.value == -std::numeric_limits<float>::infinity())
    return logits ? wording("core:overflow.no_probability", {{"what", what}})
                  : wording("core:overflow.no_weight", {{"what", what}});
  const NextWords& next = trace.model.next_words;
  const Quantity shares = logits ? Quantity::probabilities : Quantity::attention;
  const std::string &token = trace.tokens[static_cast<std::size_t>(cell.row)],
                    matrix = symbol({shares, cell.site.layer, cell.site.head});
  if (!logits || next.parts() == 1)
    return wording("core:overflow.no_row", {{"what", what}, {"token", token}, {"matrix", matrix}});
  return wording("core:overflow.no_row.question", {{"what", what},
                                                   {"token", token},
                                                   {"matrix", matrix},
                                                   {"question", next.questions.word(next.question_of(cell.col))}});
}

std::string with_others(const std::string& what, const Overflow& overflow) {
  constexpr std::size_t kNamed = 6;
  std::string list;
  std::size_t count = 0;
  for (const Index h : overflow.heads) {
    if (h == overflow.cell.site.head || ++count > kNamed) continue;
    list += (list.empty() ? "" : ", ") + std::to_string(h + 1);
  }
  if (count == 0) return what;
  if (count > kNamed) list = wording("core:overflow.and_more", {{"heads", list}, {"n", count - kNamed}});
  return wording("core:overflow.others", {{"what", what}, {"n", count}, {"heads", list}});
}

std::string sentence_of(const Overflow& overflow, const Trace& trace) {
  const int head = overflow.cell.site.head;
  const std::string value = std::isnan(overflow.value) ? wording("core:overflow.not_a_number")
                            : overflow.value > 0       ? "inf"
                                                       : "-inf";
  std::string what = wording("core:overflow", {{"number", cell_title(trace, overflow.cell)},
                                               {"value", value},
                                               {"source", source_of(trace, overflow.cell.site)}});
  what = with_others(with_consequence(what, overflow, trace), overflow);
  return head == kNoHead ? wording("core:overflow.sentence", {{"what", what}})
                         : wording("core:overflow.sentence.of_head", {{"head", head + 1}, {"what", what}});
}

}  // namespace

namespace {

// Of the layer at that place.
std::shared_ptr<const Overflow> find_overflow(const Trace& trace, int at, Sizes& sizes) {
  const LayerTrace<float>& layer = trace.layer(at);
  if (cannot_overflow(trace, at, sizes)) return nullptr;
  std::optional<Cell> first;
  auto overflow = std::make_shared<Overflow>();
  for (int h = 0; h < static_cast<int>(layer.input.heads); ++h) {
    const std::optional<Cell> cell = first_in(trace, at, h);
    if (!cell) continue;
    if (!first) first = cell;
    overflow->heads.push_back(h);
  }
  if (!first) first = first_in(trace, at, kNoHead);
  if (!first) return nullptr;
  overflow->cell = *first;
  overflow->value = value_at(trace, *first);
  overflow->sentence = sentence_of(*overflow, trace);
  return overflow;
}

// Of what is read out, by the sizes of what goes into it alone.
bool cannot_overflow(const ModelTrace<float>& model, const Array<float>& stream, Sizes& sizes) {
  const ModelWeights<float>& w = model.weights;
  const auto d = static_cast<double>(stream.cols());
  // No activation is larger than what goes into it.
  const double transformed = model.settings.transform ? sizes.of(stream) * d * sizes.of(w.W_T) + sizes.of(w.b_T) : 0;
  if (transformed > 1e38) return false;
  const double final =
      model.settings.final_norm ? std::sqrt(d) * sizes.of(w.gain) + sizes.of(w.shift) : sizes.of(model.final);
  const double logits = final * d * sizes.of(model.settings.readout == ReadoutKind::tied ? w.E : w.W_U);
  return std::max(final, logits + sizes.of(w.b_U)) < 1e38;
}

// In what follows the layers.
std::shared_ptr<const Overflow> find_overflow_read_out(const Trace& trace, Sizes& sizes) {
  if (trace.model.program().out.empty()) return nullptr;
  const Site last = last_stream(trace);
  const Array<float>& stream =
      last.quantity == Quantity::Y ? trace.layer(last.layer).output : trace.block(last.layer).of(last.quantity);
  if (cannot_overflow(trace.model, stream, sizes)) return nullptr;
  for (const ProgramNode& node : trace.model.program().out) {
    const Site site{node.result};
    const auto place = first_in(values_of(trace, site), nullptr);
    if (!place) continue;
    auto overflow = std::make_shared<Overflow>();
    overflow->cell = {site, place->first, place->second};
    overflow->value = value_at(trace, overflow->cell);
    overflow->sentence = sentence_of(*overflow, trace);
    return overflow;
  }
  return nullptr;
}

}  // namespace

void find_overflow(Trace& trace, const Trace* previous) {
  Sizes sizes(previous, trace.sizes);
  const auto layers = static_cast<int>(trace.layers.size());
  for (int k = 0; k < layers && !trace.overflow; ++k) trace.overflow = find_overflow(trace, k, sizes);
  if (!trace.overflow) trace.overflow = find_overflow_read_out(trace, sizes);
}

}  // namespace hydra

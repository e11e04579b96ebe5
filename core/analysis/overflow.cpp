#include "core/analysis/overflow.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/linalg/largest.h"

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
    now_.emplace_back(values.stamp(), known ? (*before_)[k].second : largest_finite<float>(*values));
    return now_.back().second;
  }

 private:
  const ArraySizes* before_ = nullptr;
  ArraySizes& now_;
};

// Whether no sum can reach the largest float, by the largest numbers that go into it; with room for what rounding does.
bool cannot_overflow(const LayerInput<float>& input, Sizes& sizes) {
  const AttentionWeights<float>& w = input.weights;
  const auto d = static_cast<double>(input.d_model()), d_k = static_cast<double>(input.d_k());
  const double x = d * sizes.of(input.X);
  const double q = x * sizes.of(w.W_Q) + sizes.of(w.b_Q), k = x * sizes.of(w.W_K) + sizes.of(w.b_K);
  double v = x * sizes.of(w.W_V) + sizes.of(w.b_V), gate = 1;
  for (const PaintedHead<float>& head : input.painted)
    for (const PaintedRow<float>& row : head.values) v = std::max(v, sizes.of(row.values));
  for (const float each : input.gates) gate = std::max(gate, static_cast<double>(each));
  const double factor = std::max(1.0, static_cast<double>(input.score_factor()));
  const double score = q * k * d_k * factor;
  const double y = v * d_k * sizes.of(w.W_O) * gate * static_cast<double>(input.heads) + sizes.of(w.b_O);
  return std::max({q, k, 2 * v * gate, score, y}) < 1e38;
}

// The first number that is not finite, row by row; of scores, that the mask does not hide.
std::optional<std::pair<Index, Index>> first_in(MatIn<float> values, const Mask* mask) {
  if (!mask && values.allFinite()) return std::nullopt;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j)) && (!mask || mask->allows(i, j))) return std::pair(i, j);
  return std::nullopt;
}

std::optional<Cell> first_in(const LayerTrace<float>& layer, Index h) {
  const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
  const Array<float> scores = scores_once(layer, h), contribution = contribution_once(layer, h);
  for (const auto& [quantity, values] : {std::pair(Quantity::Q, &head.Q),
                                         {Quantity::K, &head.K},
                                         {Quantity::V, &head.V},
                                         {Quantity::scores, &scores},
                                         {Quantity::attention, &head.attention},
                                         {Quantity::output, &head.output},
                                         {Quantity::contribution, &contribution}})
    if (const auto place = first_in(**values, quantity == Quantity::scores ? &layer.input.mask : nullptr))
      return Cell{{quantity, 0, static_cast<int>(h)}, place->first, place->second};
  return std::nullopt;
}

const char* source_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::Q:
      return "the sum of X times W_Q";
    case Quantity::K:
      return "the sum of X times W_K";
    case Quantity::V:
      return "the sum of X times W_V";
    case Quantity::scores:
      return "the product of query and key";
    case Quantity::contribution:
      return "the sum of O times W_O";
    default:
      return "the sum";
  }
}

std::string consequence(const Overflow& overflow, const Trace& trace) {
  const Cell& cell = overflow.cell;
  if (cell.site.quantity != Quantity::scores) return "";
  if (overflow.value == -std::numeric_limits<float>::infinity()) return ", so its weight is 0";
  return ", so the row of \"" + trace.tokens[static_cast<std::size_t>(cell.row)] + "\" in " +
         symbol({Quantity::attention, cell.site.layer, cell.site.head}) + " is not a number";
}

std::string others(const Overflow& overflow) {
  constexpr std::size_t kNamed = 6;
  std::string list;
  std::size_t count = 0;
  for (const Index h : overflow.heads) {
    if (h == overflow.cell.site.head || ++count > kNamed) continue;
    list += (list.empty() ? "" : ", ") + std::to_string(h + 1);
  }
  if (count == 0) return "";
  if (count > kNamed) list += " and " + std::to_string(count - kNamed) + " more";
  return "; so it is in " + std::string(count == 1 ? "head " : "heads ") + list;
}

std::string sentence_of(const Overflow& overflow, const Trace& trace) {
  const int head = overflow.cell.site.head;
  std::string place = cell_title(trace, overflow.cell);
  const std::string value = std::isnan(overflow.value) ? "not a number" : overflow.value > 0 ? "inf" : "-inf";
  return (head == kNoHead ? "" : "head " + std::to_string(head + 1) + ": ") + place + " is " + value + ": " +
         source_of(overflow.cell.site.quantity) + " is beyond the largest number, 3.4e38" +
         consequence(overflow, trace) + others(overflow) + ".";
}

}  // namespace

namespace {

// Of the layer at that place.
std::shared_ptr<const Overflow> find_overflow(const Trace& trace, int at, Sizes& sizes) {
  const LayerTrace<float>& layer = trace.layer(at);
  if (cannot_overflow(layer.input, sizes)) return nullptr;
  std::optional<Cell> first;
  auto overflow = std::make_shared<Overflow>();
  for (Index h = 0; h < layer.input.heads; ++h) {
    std::optional<Cell> cell = first_in(layer, h);
    if (!cell) continue;
    cell->site.layer = at;
    if (!first) first = cell;
    overflow->heads.push_back(h);
  }
  for (const auto& [quantity, values] : {std::pair(Quantity::concat, &layer.concat), {Quantity::Y, &layer.output}}) {
    if (first) break;
    if (const auto place = first_in(**values, nullptr)) first = Cell{{quantity, at}, place->first, place->second};
  }
  if (!first) return nullptr;
  overflow->cell = *first;
  overflow->value = value_at(trace, *first);
  overflow->sentence = sentence_of(*overflow, trace);
  return overflow;
}

}  // namespace

void find_overflow(Trace& trace, const Trace* previous) {
  Sizes sizes(previous, trace.sizes);
  const auto layers = static_cast<int>(trace.layers.size());
  for (int k = 0; k < layers && !trace.overflow; ++k) trace.overflow = find_overflow(trace, k, sizes);
}

}  // namespace hydra

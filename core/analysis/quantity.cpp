#include "core/analysis/quantity.h"

#include <cassert>
#include <cmath>

#include "core/analysis/quantity_table.h"

namespace hydra {

namespace {

using quantity::entry;
using quantity::Kind;

const LayerTrace<float>& layer_of(const Trace& trace, const MatrixRef& ref) {
  return trace.layers[static_cast<std::size_t>(ref.layer)];
}

const HeadTrace<float>& head_of(const Trace& trace, const MatrixRef& ref) {
  return layer_of(trace, ref).heads[static_cast<std::size_t>(ref.head)];
}

const MatPtr<float>& weight_matrix(const AttentionWeights<float>& weights, Quantity quantity) {
  switch (quantity) {
    case Quantity::W_Q:
      return weights.W_Q;
    case Quantity::W_K:
      return weights.W_K;
    case Quantity::W_V:
      return weights.W_V;
    default:
      assert(quantity == Quantity::W_O);
      return weights.W_O;
  }
}

const RowVecPtr<float>& bias_vector(const AttentionWeights<float>& weights, Quantity quantity) {
  switch (quantity) {
    case Quantity::b_Q:
      return weights.b_Q;
    case Quantity::b_K:
      return weights.b_K;
    case Quantity::b_V:
      return weights.b_V;
    default:
      assert(quantity == Quantity::b_O);
      return weights.b_O;
  }
}

// A matrix of the trace that is one object: not a weight, a bias or a derived pattern.
MatPtr<float> whole_matrix(const Trace& trace, const MatrixRef& ref) {
  switch (ref.quantity) {
    case Quantity::embedding:
      return trace.embedding;
    case Quantity::positions:
      return trace.positions;
    case Quantity::X:
      return trace.X;
    case Quantity::Q:
      return head_of(trace, ref).Q;
    case Quantity::K:
      return head_of(trace, ref).K;
    case Quantity::V:
      return head_of(trace, ref).V;
    case Quantity::scores:
      return scores_of(layer_of(trace, ref), ref.head);
    case Quantity::attention:
      return head_of(trace, ref).attention;
    case Quantity::output:
      return head_of(trace, ref).output;
    case Quantity::contribution:
      return contribution_of(layer_of(trace, ref), ref.head);
    case Quantity::concat:
      return layer_of(trace, ref).concat;
    default:
      assert(ref.quantity == Quantity::Y);
      return layer_of(trace, ref).output;
  }
}

// Of a layer whose heads share keys and values, what the heads of a group have in common.
bool is_of_group(Quantity quantity) {
  switch (quantity) {
    case Quantity::W_K:
    case Quantity::W_V:
    case Quantity::b_K:
    case Quantity::b_V:
      return true;
    default:
      return false;
  }
}

// The place of a head's block along the heads' dimensions of a combined weight or bias, and how wide that is as a
// whole.
Index first_of(const LayerInput<float>& input, const MatrixRef& ref) {
  if (ref.head == kNoHead) return 0;
  return (is_of_group(ref.quantity) ? input.kv_head(ref.head) : ref.head) * input.d_k();
}
Index whole_width(const LayerInput<float>& input, Quantity quantity) {
  return is_of_group(quantity) ? input.kv_width() : input.d_model();
}

bool is_derived(Quantity quantity) {
  return quantity == Quantity::value_weighted || quantity == Quantity::mean_attention || is_form(quantity);
}

// An entry of W_Q^i W_K^iT or W_V^i W_O^i.
float form_value(const Trace& trace, const CellRef& cell) {
  const bool asks = cell.matrix.quantity == Quantity::query_key;
  const MatrixRef left{asks ? Quantity::W_Q : Quantity::W_V, cell.matrix.layer, cell.matrix.head};
  const MatrixRef right{asks ? Quantity::W_K : Quantity::W_O, cell.matrix.layer, cell.matrix.head};
  const RowVec<double> l = values_of(trace, left).row(cell.row).cast<double>();
  const MatView<float> r = values_of(trace, right);
  return static_cast<float>(asks ? l.dot(r.row(cell.col).cast<double>())
                                 : l.dot(r.col(cell.col).transpose().cast<double>()));
}

float derived_value(const Trace& trace, const CellRef& cell) {
  if (is_form(cell.matrix.quantity)) return form_value(trace, cell);
  const LayerTrace<float>& layer = layer_of(trace, cell.matrix);
  if (cell.matrix.quantity == Quantity::mean_attention) {
    double sum = 0;
    for (const HeadTrace<float>& head : layer.heads) sum += static_cast<double>((*head.attention)(cell.row, cell.col));
    return static_cast<float>(sum / static_cast<double>(layer.heads.size()));
  }
  const HeadTrace<float>& head = head_of(trace, cell.matrix);
  const MatView<float> W_O = values_of(trace, {Quantity::W_O, cell.matrix.layer, cell.matrix.head});
  double squared_norm = 0;
  for (Index c = 0; c < W_O.cols(); ++c) {
    double carried = 0;
    for (Index k = 0; k < W_O.rows(); ++k)
      carried += static_cast<double>((*head.V)(cell.col, k)) * static_cast<double>(W_O(k, c));
    squared_norm += carried * carried;
  }
  const auto gate = static_cast<double>(layer.input.gate(cell.matrix.head));
  return static_cast<float>(gate * static_cast<double>((*head.attention)(cell.row, cell.col)) *
                            std::sqrt(squared_norm));
}

}  // namespace

HeadRange shared_by(const LayerInput<float>& input, const MatrixRef& ref) {
  const bool of_group = is_of_group(ref.quantity) || ref.quantity == Quantity::K || ref.quantity == Quantity::V;
  const Index group = of_group ? input.group_size() : 1, first = ref.head / group * group;
  for (Index h = first; ref.quantity == Quantity::V && h < first + group; ++h)
    if (const PaintedHead<float>* painted = painted_head(input.painted, h); painted && !painted->values.empty())
      return {ref.head, ref.head + 1};
  return {first, first + group};
}

bool is_form(Quantity quantity) { return entry(quantity).kind == Kind::form; }
bool has_head(Quantity quantity) { return entry(quantity).kind == Kind::of_head || is_form(quantity); }
bool is_weight(Quantity quantity) { return entry(quantity).kind == Kind::weight; }
bool is_bias(Quantity quantity) { return entry(quantity).kind == Kind::bias; }

bool may_have_head(Quantity quantity) {
  return has_head(quantity) || is_weight(quantity) || (is_bias(quantity) && quantity != Quantity::b_O);
}

bool is_editable(Quantity quantity) { return quantity == Quantity::X || is_weight(quantity) || is_bias(quantity); }

bool exists(const Trace& trace, const MatrixRef& ref) {
  if (ref.layer < 0 || ref.layer >= static_cast<int>(trace.layers.size())) return false;
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const bool head_in_range = ref.head >= 0 && ref.head < input.heads;
  if (has_head(ref.quantity) && !head_in_range) return false;
  if (ref.head != kNoHead && !(may_have_head(ref.quantity) && head_in_range)) return false;
  if (ref.quantity == Quantity::positions && !trace.positions) return false;
  if (entry(ref.quantity).kind == Kind::input && ref.layer != 0) return false;
  return !is_bias(ref.quantity) || bias_vector(input.weights, ref.quantity) != nullptr;
}

Shape shape_of(const Trace& trace, const MatrixRef& ref) {
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const Index n = input.n(), d_model = input.d_model(), d_k = input.d_k();
  const bool part = ref.head != kNoHead;
  switch (ref.quantity) {
    case Quantity::W_Q:
    case Quantity::W_K:
    case Quantity::W_V:
      return {d_model, part ? d_k : whole_width(input, ref.quantity), Axis::model_dim,
              part ? Axis::head_dim : Axis::model_dim};
    case Quantity::W_O:
      return {part ? d_k : d_model, d_model, part ? Axis::head_dim : Axis::model_dim, Axis::model_dim};
    case Quantity::query_key:
    case Quantity::value_output:
      return {d_model, d_model, Axis::model_dim, Axis::model_dim};
    case Quantity::b_Q:
    case Quantity::b_K:
    case Quantity::b_V:
    case Quantity::b_O:
      return {1, part ? d_k : whole_width(input, ref.quantity), Axis::one, part ? Axis::head_dim : Axis::model_dim};
    case Quantity::Q:
    case Quantity::K:
    case Quantity::V:
    case Quantity::output:
      return {n, d_k, Axis::token, Axis::head_dim};
    case Quantity::scores:
    case Quantity::attention:
    case Quantity::value_weighted:
    case Quantity::mean_attention:
      return {n, n, Axis::token, Axis::token};
    case Quantity::embedding:
    case Quantity::positions:
    case Quantity::X:
    case Quantity::contribution:
    case Quantity::concat:
    case Quantity::Y:
      return {n, d_model, Axis::token, Axis::model_dim};
  }
  assert(false);
  return {};
}

Backing backing_of(const Trace& trace, const MatrixRef& ref) {
  const Shape shape = shape_of(trace, ref);
  if (is_derived(ref.quantity) || is_bias(ref.quantity)) return {nullptr, 0, 0, shape.rows, shape.cols};
  if (!is_weight(ref.quantity)) return {whole_matrix(trace, ref), 0, 0, shape.rows, shape.cols};
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const Index first = first_of(input, ref);
  const bool by_rows = ref.quantity == Quantity::W_O;
  return {weight_matrix(input.weights, ref.quantity), by_rows ? first : 0, by_rows ? 0 : first, shape.rows, shape.cols};
}

MatView<float> values_of(const Trace& trace, const MatrixRef& ref) {
  assert(!is_derived(ref.quantity));
  if (is_bias(ref.quantity)) {
    const LayerInput<float>& input = layer_of(trace, ref).input;
    const Index first = first_of(input, ref);
    const Index count = ref.head == kNoHead ? whole_width(input, ref.quantity) : input.d_k();
    using Row = Eigen::Map<const Mat<float>, 0, Eigen::OuterStride<>>;
    return Row(bias_vector(input.weights, ref.quantity)->data() + first, 1, count, Eigen::OuterStride<>(count));
  }
  const Backing backing = backing_of(trace, ref);
  return backing.matrix->block(backing.row0, backing.col0, backing.rows, backing.cols);
}

float value_at(const Trace& trace, const CellRef& cell) {
  if (is_derived(cell.matrix.quantity)) return derived_value(trace, cell);
  return values_of(trace, cell.matrix)(cell.row, cell.col);
}

std::optional<CellRef> editable_cell(const Trace& trace, const CellRef& cell) {
  if (!is_editable(cell.matrix.quantity)) return std::nullopt;
  if (cell.matrix.head == kNoHead) return cell;
  const Index first = first_of(layer_of(trace, cell.matrix).input, cell.matrix);
  CellRef combined = cell;
  combined.matrix.head = kNoHead;
  (cell.matrix.quantity == Quantity::W_O ? combined.row : combined.col) += first;
  return combined;
}

CellRef in_its_head(const Trace& trace, const CellRef& cell) {
  CellRef own = cell;
  if (cell.matrix.head != kNoHead) return own;
  const bool concat = cell.matrix.quantity == Quantity::concat;
  if (!concat && !may_have_head(cell.matrix.quantity)) return own;
  if (concat) own.matrix.quantity = Quantity::output;
  const LayerInput<float>& input = layer_of(trace, cell.matrix).input;
  Index& along = cell.matrix.quantity == Quantity::W_O ? own.row : own.col;
  const Index block = along / input.d_k(),
              heads = shared_by(input, {own.matrix.quantity, cell.matrix.layer, 0}).count();
  own.matrix.head = static_cast<int>(block * heads);
  along %= input.d_k();
  return own;
}

}  // namespace hydra

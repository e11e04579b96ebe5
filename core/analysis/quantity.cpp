#include "core/analysis/quantity.h"

#include <cassert>
#include <cmath>

#include "core/model/program.h"

namespace hydra {

namespace {

const LayerTrace<float>& layer_of(const Trace& trace, const Site& ref) { return trace.layer(ref.layer); }

const HeadTrace<float>& head_of(const Trace& trace, const Site& ref) {
  return layer_of(trace, ref).heads[static_cast<std::size_t>(ref.head)];
}

// A matrix of the trace that is one object: not a weight, a bias or a derived pattern.
Array<float> whole_matrix(const Trace& trace, const Site& ref) {
  switch (ref.quantity) {
    case Quantity::embedding:
      return trace.embedding;
    case Quantity::positions:
      return trace.positions;
    case Quantity::X:
      return layer_of(trace, ref).input.X;
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

// The place of a head's block along the heads' dimensions of a combined weight or bias, and how wide that is as a
// whole.
Index first_of(const LayerInput<float>& input, const Site& ref) {
  if (ref.head == kNoHead) return 0;
  return (entry_of(ref.quantity).of_group ? input.kv_head(ref.head) : ref.head) * input.d_k();
}
Index whole_width(const LayerInput<float>& input, Quantity quantity) {
  return entry_of(quantity).of_group ? input.kv_width() : input.d_model();
}

bool is_derived(Quantity quantity) {
  return quantity == Quantity::value_weighted || quantity == Quantity::mean_attention || is_form(quantity);
}

// An entry of W_Q^i W_K^iT or W_V^i W_O^i.
float form_value(const Trace& trace, const Cell& cell) {
  const bool asks = cell.site.quantity == Quantity::query_key;
  const Site left{asks ? Quantity::W_Q : Quantity::W_V, cell.site.layer, cell.site.head};
  const Site right{asks ? Quantity::W_K : Quantity::W_O, cell.site.layer, cell.site.head};
  const RowVec<double> l = values_of(trace, left).row(cell.row).cast<double>();
  const MatView<float> r = values_of(trace, right);
  return static_cast<float>(asks ? l.dot(r.row(cell.col).cast<double>())
                                 : l.dot(r.col(cell.col).transpose().cast<double>()));
}

float derived_value(const Trace& trace, const Cell& cell) {
  if (is_form(cell.site.quantity)) return form_value(trace, cell);
  const LayerTrace<float>& layer = layer_of(trace, cell.site);
  if (cell.site.quantity == Quantity::mean_attention) {
    double sum = 0;
    for (const HeadTrace<float>& head : layer.heads) sum += static_cast<double>((*head.attention)(cell.row, cell.col));
    return static_cast<float>(sum / static_cast<double>(layer.heads.size()));
  }
  const HeadTrace<float>& head = head_of(trace, cell.site);
  const MatView<float> W_O = values_of(trace, {Quantity::W_O, cell.site.layer, cell.site.head});
  double squared_norm = 0;
  for (Index c = 0; c < W_O.cols(); ++c) {
    double carried = 0;
    for (Index k = 0; k < W_O.rows(); ++k)
      carried += static_cast<double>((*head.V)(cell.col, k)) * static_cast<double>(W_O(k, c));
    squared_norm += carried * carried;
  }
  const auto gate = static_cast<double>(layer.input.gate(cell.site.head));
  return static_cast<float>(gate * static_cast<double>((*head.attention)(cell.row, cell.col)) *
                            std::sqrt(squared_norm));
}

}  // namespace

HeadRange shared_by(const LayerInput<float>& input, const Site& ref) {
  const bool of_group = entry_of(ref.quantity).of_group;
  const Index group = of_group ? input.group_size() : 1, first = ref.head / group * group;
  for (Index h = first; ref.quantity == Quantity::V && h < first + group; ++h)
    if (const PaintedHead<float>* painted = painted_head(input.painted, h); painted && !painted->values.empty())
      return {ref.head, ref.head + 1};
  return {first, first + group};
}

bool exists(const Trace& trace, const Site& ref) {
  if (ref.layer < 0 || ref.layer >= static_cast<int>(trace.layers.size())) return false;
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const bool head_in_range = ref.head >= 0 && ref.head < input.heads;
  if (has_head(ref.quantity) && !head_in_range) return false;
  if (ref.head != kNoHead && !(may_have_head(ref.quantity) && head_in_range)) return false;
  if (ref.quantity == Quantity::positions && !trace.positions) return false;
  const bool of_model = entry_of(ref.quantity).scope == QuantityRow::Scope::model && ref.quantity != Quantity::X;
  if (of_model && ref.layer != 0) return false;
  return !is_bias(ref.quantity) || *field_of(input.weights, ref.quantity);
}

Shape shape_of(const Trace& trace, const Site& ref) {
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const QuantityRow& row = entry_of(ref.quantity);
  const bool of_one_head = ref.head != kNoHead;
  const auto size = [&](Axis axis) -> Index {
    switch (axis) {
      case Axis::token:
        return input.n();
      case Axis::model_dim:
        return input.d_model();
      case Axis::head_dim:
        return of_one_head ? input.d_k() : whole_width(input, ref.quantity);
      default:
        return 1;
    }
  };
  return {size(row.rows), size(row.cols), row.rows, row.cols};
}

namespace {
// Of what the program says it is made of.
Stamp derived_stamp(const Trace& trace, const Site& ref) {
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const ProgramNode& node = node_of(ref.quantity);
  Key key("derived");
  key << ref.quantity;
  for (const Quantity operand : node.reads())
    for (int h = 0; h < static_cast<int>(input.heads); ++h)
      if (ref.head == kNoHead || ref.head == h) key << stamp_of(trace, {operand, ref.layer, h});
  if (node.operation == Operation::weigh) key << input.gate(ref.head);
  return key.stamp();
}
}  // namespace

Stamp stamp_of(const Trace& trace, const Site& ref) {
  if (is_derived(ref.quantity)) return derived_stamp(trace, ref);
  if (ref.quantity == Quantity::scores) return head_of(trace, ref).scores.stamp();
  if (ref.quantity == Quantity::contribution) return head_of(trace, ref).contribution.stamp();
  const Backing backing = backing_of(trace, ref);
  const bool by_rows = backing.rows < backing.matrix.rows();
  return by_rows ? backing.matrix.stamp_of_rows(backing.row0, backing.rows)
                 : backing.matrix.stamp_of_columns(backing.col0, backing.cols);
}

Backing backing_of(const Trace& trace, const Site& ref) {
  const Shape shape = shape_of(trace, ref);
  if (is_derived(ref.quantity)) return {nullptr, 0, 0, shape.rows, shape.cols};
  if (!is_weight(ref.quantity) && !is_bias(ref.quantity))
    return {whole_matrix(trace, ref), 0, 0, shape.rows, shape.cols};
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const Index first = first_of(input, ref);
  const bool by_rows = ref.quantity == Quantity::W_O;
  return {*field_of(input.weights, ref.quantity), by_rows ? first : 0, by_rows ? 0 : first, shape.rows, shape.cols};
}

MatView<float> values_of(const Trace& trace, const Site& ref) {
  assert(!is_derived(ref.quantity));
  const Backing backing = backing_of(trace, ref);
  return backing.matrix->block(backing.row0, backing.col0, backing.rows, backing.cols);
}

float value_at(const Trace& trace, const Cell& cell) {
  if (is_derived(cell.site.quantity)) return derived_value(trace, cell);
  return values_of(trace, cell.site)(cell.row, cell.col);
}

std::optional<Cell> editable_cell(const Trace& trace, const Cell& cell) {
  if (!is_editable(cell.site)) return std::nullopt;
  if (cell.site.head == kNoHead) return cell;
  const Index first = first_of(layer_of(trace, cell.site).input, cell.site);
  Cell combined = cell;
  combined.site.head = kNoHead;
  (cell.site.quantity == Quantity::W_O ? combined.row : combined.col) += first;
  return combined;
}

Cell in_its_head(const Trace& trace, const Cell& cell) {
  Cell own = cell;
  if (cell.site.head != kNoHead) return own;
  const bool concat = cell.site.quantity == Quantity::concat;
  if (!concat && !may_have_head(cell.site.quantity)) return own;
  if (concat) own.site.quantity = Quantity::output;
  const LayerInput<float>& input = layer_of(trace, cell.site).input;
  Index& along = cell.site.quantity == Quantity::W_O ? own.row : own.col;
  const Index block = along / input.d_k(), heads = shared_by(input, {own.site.quantity, cell.site.layer, 0}).count();
  own.site.head = static_cast<int>(block * heads);
  along %= input.d_k();
  return own;
}

}  // namespace hydra

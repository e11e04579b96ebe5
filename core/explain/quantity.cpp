#include "core/explain/quantity.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/model/program.h"

namespace hydra {

namespace {

const LayerTrace<float>& layer_of(const Trace& trace, const Site& ref) { return trace.layer(ref.layer); }

// Of inputs and of what is computed, as it is held: of what is not kept the stamp alone.
const Array<float>& held(const LayerTrace<float>& layer, const Site& ref) {
  return is_head_stage(ref.quantity) ? layer.heads[static_cast<std::size_t>(ref.head)][ref.quantity]
                                     : layer[ref.quantity];
}
bool is_around_heads(Quantity quantity) { return quantity >= Quantity::norm_1 && quantity <= Quantity::stream; }
const Array<float>& held(const Trace& trace, const Site& ref) {
  if (ref.quantity == Quantity::embedding) return trace.embedding;
  if (ref.quantity == Quantity::positions) return trace.positions;
  if (ref.quantity == Quantity::types) return trace.types;
  if (ref.quantity == Quantity::summed) return trace.summed;
  if (ref.quantity == Quantity::X) return trace.block(ref.layer).input;
  if (const Array<float>* stage = trace.model.stage(ref.quantity)) return *stage;
  if (is_around_heads(ref.quantity)) return trace.block(ref.layer).of(ref.quantity);
  return held(layer_of(trace, ref), ref);
}

// What is not kept is recomputed: with its layer, or by the function for its quantity.
template <class Pattern, class Contribution>
Array<float> kept_or_made(const Trace& trace, const Site& ref, const Pattern& pattern,
                          const Contribution& contribution) {
  const Array<float>& array = held(trace, ref);
  if (array || !array.stamp()) return array;
  if (is_around_heads(ref.quantity)) return whole_block_of(trace, ref.layer)->of(ref.quantity);
  const std::shared_ptr<const LayerTrace<float>> whole = whole_of(layer_of(trace, ref));
  if (entry_of(ref.quantity).kind != QuantityRow::Kind::recomputed) return held(*whole, ref);
  return ref.quantity == Quantity::contribution ? contribution(*whole, ref.head)
                                                : pattern(*whole, ref.quantity, ref.head);
}

// A weight or bias: of the model, or of the layer, combined.
const Array<float>& parameter(const Trace& trace, const Site& ref) {
  if (const Array<float>* of_model = field_of(trace.model.weights, ref.quantity)) return *of_model;
  return *field_of(layer_of(trace, ref).input.weights, ref.quantity);
}

// The place of a head's block along the heads' dimensions of a combined weight or bias, and how wide that is as a
// whole.
Index first_of(const LayerInput<float>& input, const Site& ref) {
  if (ref.head == kNoHead) return 0;
  return (entry_of(ref.quantity).of_group ? input.kv_head(ref.head) : ref.head) * input.d_k();
}
Index whole_width(const LayerInput<float>& input, Quantity quantity) {
  return entry_of(quantity).of_group ? input.kv_width() : input.concat_width();
}

const ProgramNode& node_of(const Trace& trace, const Site& ref) { return program_at(trace, ref).node_of(ref.quantity); }

// An entry of A B^T, or of A B.
double product_value(const Trace& trace, const ProgramNode& node, const Cell& cell) {
  const Site left{node.reads()[0], cell.site.layer, cell.site.head};
  const Site right{node.reads()[1], cell.site.layer, cell.site.head};
  const RowVec<double> l = values_of(trace, left).row(cell.row).cast<double>();
  const MatView<float> r = values_of(trace, right);
  return node.operation == Operation::outer ? l.dot(r.row(cell.col).cast<double>())
                                            : l.dot(r.col(cell.col).transpose().cast<double>());
}

double mean_value(const Trace& trace, const ProgramNode& node, const Cell& cell) {
  const int heads = static_cast<int>(layer_of(trace, cell.site).input.heads);
  double sum = 0;
  for (int h = 0; h < heads; ++h)
    sum += static_cast<double>(value_at(trace, {{node.reads()[0], cell.site.layer, h}, cell.row, cell.col}));
  return sum / heads;
}

double weighed_value(const Trace& trace, const ProgramNode& node, const Cell& cell) {
  const auto site = [&](std::size_t k) { return Site{node.reads()[k], cell.site.layer, cell.site.head}; };
  const RowVec<double> value = values_of(trace, site(1)).row(cell.col).cast<double>();
  const MatView<float> W = values_of(trace, site(2));
  double squared_norm = 0;
  for (Index c = 0; c < W.cols(); ++c) {
    const double carried = value.dot(W.col(c).transpose().cast<double>());
    squared_norm += carried * carried;
  }
  return static_cast<double>(layer_of(trace, cell.site).input.gate(cell.site.head)) *
         static_cast<double>(value_at(trace, {site(0), cell.row, cell.col})) * std::sqrt(squared_norm);
}

// Of what is computed when it is asked for.
float asked_value(const Trace& trace, const Cell& cell) {
  const ProgramNode& node = node_of(trace, cell.site);
  const double value = node.operation == Operation::mean    ? mean_value(trace, node, cell)
                       : node.operation == Operation::weigh ? weighed_value(trace, node, cell)
                                                            : product_value(trace, node, cell);
  return static_cast<float>(value);
}

}  // namespace

namespace {
// V, rows of which may be set by hand in one head of a group alone, and what is made of it for the group.
bool is_made_of_values(const LayerProgram& program, Quantity quantity) {
  if (quantity == Quantity::V) return true;
  if (!is_computed(quantity) || !entry_of(quantity).of_group || !program.makes(quantity)) return false;
  return std::ranges::any_of(program.node_of(quantity).reads(),
                             [&](Quantity operand) { return is_made_of_values(program, operand); });
}
}  // namespace

HeadRange shared_by(const LayerInput<float>& input, const Site& ref) {
  const bool of_group = entry_of(ref.quantity).of_group;
  const KeyGroups groups = of_group ? input.key_groups() : KeyGroups{input.heads};
  const Index set = groups.set_of(ref.head), first = groups.first(set), last = groups.last(set);
  const bool values =
      last - first > 1 && !input.painted.empty() && is_made_of_values(program_of(input.settings), ref.quantity);
  for (Index h = first; values && h < last; ++h)
    if (const PaintedHead<float>* painted = painted_head(input.painted, h); painted && !painted->values.empty())
      return {ref.head, ref.head + 1};
  return {first, last};
}

const LayerProgram& layer_program(const Trace& trace, int layer) {
  return program_of(trace.layer(layer).input.settings);
}

const NodeList& program_at(const Trace& trace, const Site& ref) {
  if (is_of_model(ref.quantity)) return trace.model.program();
  if (ref.quantity == Quantity::X && ref.layer == 0 && trace.model.program().makes(Quantity::X))
    return trace.model.program();
  return layer_program(trace, ref.layer);
}

Site leaves_of(const Trace& trace, int layer) { return {layer_program(trace, layer).leaves, layer, kNoHead}; }
Site last_stream(const Trace& trace) { return leaves_of(trace, static_cast<int>(trace.layers.size()) - 1); }

Site operand_of(const Trace& trace, const Site& ref, Quantity operand) {
  if (is_of_model(ref.quantity) && operand == Quantity::stream) return last_stream(trace);
  return {operand, ref.layer, may_have_head(operand) ? ref.head : kNoHead};
}

bool exists(const Trace& trace, const Site& ref) {
  if (ref.layer < 0 || ref.layer >= static_cast<int>(trace.layers.size())) return false;
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const bool head_in_range = ref.head >= 0 && ref.head < input.heads;
  if (has_head(ref.quantity) && !head_in_range) return false;
  if (ref.head != kNoHead && !(may_have_head(ref.quantity) && head_in_range)) return false;
  if (ref.quantity == Quantity::positions && !trace.positions) return false;
  if (is_of_model(ref.quantity) && ref.layer != 0) return false;
  if (is_computed(ref.quantity)) return program_at(trace, ref).makes(ref.quantity);
  return !is_parameter(ref.quantity) || parameter(trace, ref);
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
      case Axis::half_dim:
        return input.d_k() / 2;
      case Axis::hidden_dim:
        return input.settings.feed_forward_width;
      case Axis::heads:
        return input.heads;
      case Axis::offset:
        return offset_count(input.settings);
      case Axis::word:
        return trace.model.words.size();
      case Axis::place:
        return trace.model.weights.P.rows();
      case Axis::type:
        return trace.model.weights.T.rows();
      case Axis::next_word:
        return trace.model.next_words.size();
      case Axis::one:
        return 1;
    }
    return 1;
  };
  return {size(row.rows), size(row.cols), row.rows, row.cols};
}

namespace {
// Of what the program says it is made of.
Stamp asked_stamp(const Trace& trace, const Site& ref) {
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const ProgramNode& node = node_of(trace, ref);
  Key key("asked");
  key << ref.quantity;
  for (const Quantity operand : node.reads())
    for (int h = 0; h < static_cast<int>(input.heads); ++h)
      if (ref.head == kNoHead || ref.head == h) key << stamp_of(trace, {operand, ref.layer, h});
  if (node.gated) key << input.gate(ref.head);
  return key.stamp();
}
}  // namespace

Stamp stamp_of(const Trace& trace, const Site& ref) {
  if (is_asked(ref.quantity)) return asked_stamp(trace, ref);
  if (!is_parameter(ref.quantity)) return held(trace, ref).stamp();
  const Backing backing = backing_of(trace, ref);
  const bool by_rows = backing.rows < backing.matrix.rows();
  return by_rows ? backing.matrix.stamp_of_rows(backing.row0, backing.rows)
                 : backing.matrix.stamp_of_columns(backing.col0, backing.cols);
}

Backing backing_of(const Trace& trace, const Site& ref) {
  const Shape shape = shape_of(trace, ref);
  if (is_asked(ref.quantity)) return {nullptr, 0, 0, shape.rows, shape.cols};
  if (!is_parameter(ref.quantity))
    return {kept_or_made(trace, ref, pattern_of<float>, contribution_of<float>), 0, 0, shape.rows, shape.cols};
  const LayerInput<float>& input = layer_of(trace, ref).input;
  const Index first = first_of(input, ref);
  const bool by_rows = ref.quantity == Quantity::W_O;
  return {parameter(trace, ref), by_rows ? first : 0, by_rows ? 0 : first, shape.rows, shape.cols};
}

Array<float> array_once(const Trace& trace, const Site& ref) {
  return kept_or_made(trace, ref, pattern_once<float>, contribution_once<float>);
}

MatView<float> values_of(const Trace& trace, const Site& ref) {
  assert(!is_asked(ref.quantity));
  const Backing backing = backing_of(trace, ref);
  return backing.matrix->block(backing.row0, backing.col0, backing.rows, backing.cols);
}

float value_at(const Trace& trace, const Cell& cell) {
  if (is_asked(cell.site.quantity)) return asked_value(trace, cell);
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
  if (concat) own.site.quantity = node_of(trace, cell.site).reads()[0];
  const LayerInput<float>& input = layer_of(trace, cell.site).input;
  Index& along = cell.site.quantity == Quantity::W_O ? own.row : own.col;
  const Index block = along / input.d_k();
  own.site.head = static_cast<int>(entry_of(own.site.quantity).of_group ? input.key_groups().first(block) : block);
  along %= input.d_k();
  return own;
}

}  // namespace hydra

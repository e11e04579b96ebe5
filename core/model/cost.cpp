#include "core/model/cost.h"

namespace hydra {

namespace {

using Scope = QuantityRow::Scope;

// Of one copy.
double weights_of_one(const LayerSizes& s, const ProgramNode& node) {
  const QuantityRow& weights = entry_of(node.reads()[1]);
  const bool sliced = is_projection(node) && s.read > 0;
  return (sliced ? s.read : along(s, weights.rows)) * along(s, weights.cols);
}

}  // namespace

double along(const LayerSizes& s, Axis axis) {
  switch (axis) {
    case Axis::model_dim:
      return s.d_model;
    case Axis::head_dim:
      return s.d_k;
    case Axis::half_dim:
      return s.d_k / 2;
    case Axis::hidden_dim:
      return static_cast<double>(s.settings.feed_forward_width);
    case Axis::heads:
      return s.heads;
    case Axis::offset:
      return static_cast<double>(offset_count(s.settings));
    default:
      return 1;
  }
}

double copies_of(const LayerSizes& s, Quantity quantity) {
  const QuantityRow& row = entry_of(quantity);
  return row.scope != Scope::head ? 1 : row.of_group ? s.kv_heads : s.heads;
}

double numbers_of(const LayerSizes& s, const ProgramNode& node, double n) {
  if (!is_computed(node.result)) return 0;
  const QuantityRow& row = entry_of(node.result);
  const auto size = [&](Axis axis) {
    const bool of_all = row.scope != Scope::head && axis == Axis::head_dim;  // the heads' side by side
    return axis == Axis::token ? n : along(s, axis) * (of_all ? s.heads : 1);
  };
  return copies_of(s, node.result) * size(row.rows) * size(row.cols);
}

bool is_product(const ProgramNode& node) {
  return (node.operation == Operation::linear || node.operation == Operation::open) && !is_asked(node.result);
}

double weights_of(const LayerSizes& s, const ProgramNode& node) {
  return copies_of(s, node.result) * weights_of_one(s, node);
}

NodeCost cost_of(const LayerSizes& s, const ProgramNode& node, double queries, double keys) {
  if (is_asked(node.result)) return {};
  const double pairs = queries * keys;
  switch (node.operation) {
    case Operation::linear:
    case Operation::open:
      return {queries * weights_of_one(s, node)};
    case Operation::talk:
      return {s.heads * pairs};
    case Operation::scores:
      return {pairs * (node.half == Half::none ? s.d_k : s.d_k / 2)};
    case Operation::softmax:
      return {0, pairs};
    case Operation::subtract:
      return {pairs};
    case Operation::add:
    case Operation::multiply:
      return {entry_of(node.result).cols == Axis::token ? pairs : 0};
    case Operation::mix:
      return {pairs * s.d_k};
    case Operation::activate:
      return {0, queries * along(s, Axis::hidden_dim)};
    default:
      return {};
  }
}

double work_of(const LayerSizes& s, double n) {
  double work = 0;
  for (const ProgramNode& node : program_of(s.settings).nodes)
    work += copies_of(s, node.result) * cost_of(s, node, n, n).work();
  return work;
}

}  // namespace hydra

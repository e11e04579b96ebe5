#include "core/analysis/cost/cost.h"

#include "core/model/program.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

bool is_of_feed_forward(const ProgramNode& node) {
  const QuantityRow& weights = entry_of(node.reads()[1]);
  return weights.rows == Axis::hidden_dim || weights.cols == Axis::hidden_dim;
}

double counted_weights(const LayerSizes& s, bool of_feed_forward) {
  double count = 0;
  for (const ProgramNode& node : program_of(s.settings).nodes)
    if (is_product(node) && is_of_feed_forward(node) == of_feed_forward)
      count += weights_of(s, node);
    else if (node.operation == Operation::talk && !of_feed_forward)
      count += s.heads * s.heads;
    else if (node.operation == Operation::lambda && !of_feed_forward)
      for (const Quantity row : node.reads()) count += along(s, entry_of(row).cols);
  return count;
}

// The part of the cost that the node's multiply-adds count as.
double MultiplyAdds::*part_of(const ProgramNode& node) {
  if (is_product(node))
    return is_of_feed_forward(node)                ? &MultiplyAdds::feed_forward
           : node.result == Quantity::contribution ? &MultiplyAdds::output
                                                   : &MultiplyAdds::projections;
  const bool of_scores = node.operation == Operation::scores || is_score(node.result);
  return of_scores ? &MultiplyAdds::scores : &MultiplyAdds::weighted_sum;
}

MultiplyAdds counted(const LayerSizes& s, double queries, double keys) {
  MultiplyAdds count;
  for (const ProgramNode& node : program_of(s.settings).nodes)
    count.*part_of(node) += copies_of(s, node.result) * cost_of(s, node, queries, keys).multiply_adds;
  return count;
}

}  // namespace

const std::string& sharing_name(Index heads, Index kv_heads) {
  return wording(kv_heads == heads ? "core:cost.multi_head"
                 : kv_heads == 1   ? "core:cost.multi_query"
                                   : "core:cost.grouped_query");
}

double weight_count(const LayerSizes& s) { return counted_weights(s, false); }
double feed_forward_weight_count(const LayerSizes& s) { return counted_weights(s, true); }

MultiplyAdds multiply_adds_of(const LayerSizes& s, double n) { return counted(s, n, n); }

double pattern_count(const LayerSizes& s, double n) { return s.heads * n * n; }

MultiplyAdds decoding_step(const LayerSizes& s, double n) { return counted(s, 1, n); }

double ends_weight_count(const ModelProgram& ends, const ModelWidths& widths) {
  double count = 0;
  for (const Quantity p : ends.parameters)
    if (is_weight(p)) count += static_cast<double>(widths.rows(p) * widths.cols(p));
  return count;
}

double readout_multiply_adds(const ModelProgram& ends, const ModelWidths& widths) {
  double count = ends.makes(Quantity::logits) ? static_cast<double>(widths.d_model * widths.next_words) : 0;
  if (ends.makes(Quantity::transformed)) count += static_cast<double>(widths.d_model * widths.d_model);
  return count;
}

double parameter_count(const Trace& trace) {
  double count = 0;
  const auto add = [&](const NodeList& program, const auto& weights) {
    for (const Quantity p : program.parameters)
      if (const auto& values = *field_of(weights, p)) count += static_cast<double>(values.size());
  };
  for (const LayerTrace<float>& layer : trace.layers) add(program_of(layer.input.settings), layer.input.weights);
  add(trace.model.program(), trace.model.weights);
  return count;
}

double kv_cache_bytes(const LayerSizes& s, double n, double layers, double bytes_per_number) {
  return 2 * s.kv_heads * s.d_k * n * layers * bytes_per_number;
}

}  // namespace hydra

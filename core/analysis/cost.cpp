#include "core/analysis/cost.h"

#include "core/model/program.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

using Scope = QuantityRow::Scope;

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
    default:
      return 1;
  }
}

// What multiplies numbers by weights.
bool is_product(const ProgramNode& node) {
  return (node.operation == Operation::linear || node.operation == Operation::open) && !is_asked(node.result);
}

// Of a product, in all heads, and so multiply-adds for each token.
double weights_of(const LayerSizes& s, const ProgramNode& node) {
  const QuantityRow& result = entry_of(node.result);
  const QuantityRow& weights = entry_of(node.reads()[1]);
  const double copies = result.scope != Scope::head ? 1 : result.of_group ? s.kv_heads : s.heads;
  const bool sliced = is_projection(node) && s.read > 0;
  return copies * (sliced ? s.read : along(s, weights.rows)) * along(s, weights.cols);
}

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

MultiplyAdds counted(const LayerSizes& s, double queries, double keys) {
  MultiplyAdds count;
  for (const ProgramNode& node : program_of(s.settings).nodes) {
    if (is_asked(node.result)) continue;
    if (is_product(node))
      (is_of_feed_forward(node)                ? count.feed_forward
       : node.result == Quantity::contribution ? count.output
                                               : count.projections) += queries * weights_of(s, node);
    if (node.operation == Operation::talk)
      (is_score(node.result) ? count.scores : count.weighted_sum) += s.heads * s.heads * queries * keys;
    if (node.operation == Operation::scores)
      count.scores += s.heads * queries * keys * (node.half == Half::none ? s.d_k : s.d_k / 2);
    if (node.operation == Operation::subtract) count.weighted_sum += s.heads * queries * keys;
    if (node.operation == Operation::mix) count.weighted_sum += s.heads * queries * keys * s.d_k;
  }
  return count;
}

}  // namespace

LayerSizes sizes_of(const LayerInput<float>& layer) {
  const auto number = [](Index value) { return static_cast<double>(value); };
  const Index read = layer.split == Split::slice ? layer.d_k() : 0;
  return {number(layer.d_model()), number(layer.heads), number(layer.kv_heads()),
          number(layer.d_k()),     number(read),        layer.settings};
}

LayerSizes sizes_of(Index d_model, Index heads, Index kv_heads) {
  const auto d = static_cast<double>(d_model), h = static_cast<double>(heads);
  return {d, h, static_cast<double>(kv_heads), d / h};
}

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
  return ends.makes(Quantity::logits) ? static_cast<double>(widths.d_model * widths.next_words) : 0;
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

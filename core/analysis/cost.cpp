#include "core/analysis/cost.h"

#include "core/model/program.h"

namespace hydra {

namespace {

// What each head has of a quantity: numbers for each token, and in how many heads.
double width(const LayerSizes& s, Quantity quantity) {
  if (quantity == Quantity::X && s.read > 0) return s.read;
  return entry_of(quantity).cols == Axis::model_dim ? s.d_model : s.d_k;
}
double copies(const LayerSizes& s, Quantity quantity) { return entry_of(quantity).of_group ? s.kv_heads : s.heads; }

// Of a projection, and so multiply-adds for each token.
double weights_of(const LayerSizes& s, const ProgramNode& node) {
  return copies(s, node.result) * width(s, node.reads()[0]) * width(s, node.result);
}

MultiplyAdds counted(const LayerSizes& s, double queries, double keys) {
  MultiplyAdds count;
  for (const ProgramNode& node : program_of({}).nodes) {
    if (is_asked(node.result)) continue;
    if (node.operation == Operation::linear)
      (is_projection(node) ? count.projections : count.output) += queries * weights_of(s, node);
    if (node.operation == Operation::scores) count.scores += s.heads * queries * keys * s.d_k;
    if (node.operation == Operation::mix) count.weighted_sum += s.heads * queries * keys * s.d_k;
  }
  return count;
}

}  // namespace

const char* sharing_name(Index heads, Index kv_heads) {
  return kv_heads == heads ? "multi-head" : kv_heads == 1 ? "multi-query" : "grouped-query";
}

double weight_count(const LayerSizes& s) {
  double count = 0;
  for (const ProgramNode& node : program_of({}).nodes)
    if (node.operation == Operation::linear && !is_asked(node.result)) count += weights_of(s, node);
  return count;
}

MultiplyAdds multiply_adds_of(const LayerSizes& s, double n) { return counted(s, n, n); }

double pattern_count(const LayerSizes& s, double n) { return s.heads * n * n; }

MultiplyAdds decoding_step(const LayerSizes& s, double n) { return counted(s, 1, n); }

double kv_cache_bytes(const LayerSizes& s, double n, double layers, double bytes_per_number) {
  return 2 * s.kv_heads * s.d_k * n * layers * bytes_per_number;
}

}  // namespace hydra

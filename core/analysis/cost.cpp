#include "core/analysis/cost.h"

namespace hydra {

namespace {

// Weights of a token's Q, K and V.
double projected(const LayerSizes& s) { return (s.read > 0 ? s.read : s.d_model) * (s.heads + 2 * s.kv_heads) * s.d_k; }

}  // namespace

const char* sharing_name(Index heads, Index kv_heads) {
  return kv_heads == heads ? "multi-head" : kv_heads == 1 ? "multi-query" : "grouped-query";
}

double weight_count(const LayerSizes& s) { return projected(s) + s.d_model * s.heads * s.d_k; }

MultiplyAdds multiply_adds_of(const LayerSizes& s, double n) {
  const double pairs = s.heads * n * n * s.d_k;
  return {n * projected(s), pairs, pairs, n * s.heads * s.d_k * s.d_model};
}

double pattern_count(const LayerSizes& s, double n) { return s.heads * n * n; }

MultiplyAdds decoding_step(const LayerSizes& s, double n) {
  const double pairs = s.heads * n * s.d_k;
  return {projected(s), pairs, pairs, s.heads * s.d_k * s.d_model};
}

double kv_cache_bytes(const LayerSizes& s, double n, double layers, double bytes_per_number) {
  return 2 * s.kv_heads * s.d_k * n * layers * bytes_per_number;
}

}  // namespace hydra

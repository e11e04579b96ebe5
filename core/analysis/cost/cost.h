// What a layer costs, and what stands around all layers, counted: weights, multiply-adds, memory. Formulas, so that any
// size can be asked for.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/attention/trace.h"
#include "core/model/cost.h"

namespace hydra {

// What attention with so many keys and values is called: "multi-head" where every head has its own, "multi-query" where
// all share one, "grouped-query" between.
const std::string& sharing_name(Index heads, Index kv_heads);

// Of attention: read (heads + 2 kv_heads) d_k + heads d_k d_model; 4 d_model^2 for heads of d_model / heads; and the
// weights of gates of the output, of what heads take of each other, and of λ. Biases and gains not counted, nor weights
// that slices leave out.
double weight_count(const LayerSizes& sizes);
// Of the feed-forward part: 2 d_model hidden, gated 3.
double feed_forward_weight_count(const LayerSizes& sizes);

// Multiply-adds for n tokens that all attend to all n (softmax and scaling are none).
struct MultiplyAdds {
  double projections = 0;   // n read (heads + 2 kv_heads) d_k: Q, K and V; and gates
  double scores = 0;        // heads n^2 d_k: as much of two patterns of half the width
  double weighted_sum = 0;  // heads n^2 d_k; and heads n^2 where a second pattern is taken away
  double output = 0;        // n heads d_k d_model
  double feed_forward = 0;  // n 2 d_model hidden, gated 3
  double total() const { return projections + scores + weighted_sum + output + feed_forward; }
};
MultiplyAdds multiply_adds_of(const LayerSizes& sizes, double n);

// Numbers in all patterns: heads n^2.
double pattern_count(const LayerSizes& sizes, double n);
// Of one token more when n tokens (this one included) are attended to, the others' keys and values being kept.
MultiplyAdds decoding_step(const LayerSizes& sizes, double n);
// Keys and values kept for n tokens in that many layers: 2 kv_heads d_k n layers bytes_per_number.
double kv_cache_bytes(const LayerSizes& sizes, double n, double layers, double bytes_per_number);
// Of the tables that words and places are read in by and of a readout's own weights; a tied readout has none.
double ends_weight_count(const ModelProgram& ends, const ModelWidths& widths);
// Of the logits of one token: d_model words, tied or not.
double readout_multiply_adds(const ModelProgram& ends, const ModelWidths& widths);
// Every number that a model's layers and its ends are given: weights, biases, gains and shifts.
double parameter_count(const Trace& trace);

// For how many tokens, and in what precision (fp16), caches are compared until others are chosen.
inline constexpr double kUsualContext = 4096, kUsualBytes = 2;

}  // namespace hydra

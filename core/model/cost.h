// What the nodes of a layer's program cost, counted from their shapes: numbers kept, multiply-adds, exponentials.
// Whoever asks what a layer costs sums over the program.
#pragma once
#include "core/model/program.h"

namespace hydra {

// Sizes of one layer: its attention, and what its settings have around it. d_k need not be d_model / heads; kv_heads is
// heads unless keys and values are shared (multi-query: Shazeer 2019; grouped-query: Ainslie et al. 2023).
struct LayerSizes {
  double d_model = 0, heads = 1, kv_heads = 1, d_k = 0;
  double read = 0;           // columns of X that a head reads: d_k for slices; 0: all of them
  LayerSettings settings{};  // with the width of the feed-forward part
};

// So many of them there are in a layer: one for each head, one for each set of keys and values, or one.
double copies_of(const LayerSizes& sizes, Quantity quantity);
// In the layer, of n tokens; of what no trace keeps 0.
double numbers_of(const LayerSizes& sizes, const ProgramNode& node, double n);

struct NodeCost {
  double multiply_adds = 0, exponentials = 0;
  // In multiply-adds, an exponential counted as ten.
  double work() const { return multiply_adds + 10 * exponentials; }
};
// Of one copy of what the node makes, for so many queries that attend to so many keys; 0 of what is only asked for, and
// of what costs less than the product next to it.
NodeCost cost_of(const LayerSizes& sizes, const ProgramNode& node, double queries, double keys);
// Of a layer, for n tokens that attend to all n.
double work_of(const LayerSizes& sizes, double n);

// What multiplies numbers by weights, and the weights, of all copies.
bool is_product(const ProgramNode& node);
double weights_of(const LayerSizes& sizes, const ProgramNode& node);
// Along an axis of what belongs to a head, or to no head.
double along(const LayerSizes& sizes, Axis axis);

}  // namespace hydra

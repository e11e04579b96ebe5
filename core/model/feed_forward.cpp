// The feed-forward part: Vaswani et al. 2017, section 3.3; gated: Shazeer 2020, equation 5, with biases.
#include "core/model/program.h"

namespace hydra {

namespace {

using Op = Operation;

}  // namespace

void add_feed_forward(Nodes& nodes, Quantity read, const LayerSettings& settings) {
  using enum Quantity;
  nodes.push_back(node(inner, Op::linear, read, W_1, b_1));
  if (settings.gated) {
    nodes.push_back(node(inner_gate, Op::linear, read, W_3));
    nodes.push_back(node(hidden, Op::activate, inner, inner_gate));
  } else {
    nodes.push_back(node(hidden, Op::activate, inner));
  }
  nodes.push_back(node(feed_forward, Op::linear, hidden, W_2, b_2));
}

}  // namespace hydra

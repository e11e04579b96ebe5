// A document's layers carried out in double, from the X and the weights that its trace has in floats.
#pragma once
#include "core/attention/layer_gradient.h"
#include "core/attention/trace.h"

namespace hydra::test {

struct DoubleStack {
  std::vector<LayerTrace<double>> layers;
  std::vector<BlockTrace<double>> blocks;
  Array<double> stream;      // [n x d_model] what leaves the last layer
  ModelTrace<double> model;  // what follows it

  const LayerTrace<double>& layer(Index k) const { return layers[static_cast<std::size_t>(k)]; }
  const BlockTrace<double>& block(Index k) const { return blocks[static_cast<std::size_t>(k)]; }
};

inline DoubleStack in_double(const Trace& trace) {
  DoubleStack stack;
  stack.stream = share(Mat<double>(trace.X->cast<double>()));
  for (const LayerTrace<float>& layer : trace.layers) {
    LayerInput<double> input = in_double(layer.input);
    const BlockMaking<double> making{layer.input.settings, input.weights};
    BlockTrace<double>& block = stack.blocks.emplace_back();
    block.input = stack.stream;
    input.X = before_heads(making, block);
    stack.layers.push_back(forward(input));
    stack.stream = after_heads(making, stack.layers.back().output, block);
  }
  stack.model.settings = trace.model.settings;
  stack.model.lookups = trace.model.lookups;
  stack.model.next_words = trace.model.next_words;
  for (const Quantity p : kModelWeights)
    *field_of(stack.model.weights, p) = in_double(*field_of(trace.model.weights, p));
  read_out(stack.stream, stack.model);
  return stack;
}

}  // namespace hydra::test

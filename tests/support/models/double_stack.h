// A document's layers carried out in double, from the X and the weights that its trace has in floats; of an X that is
// normed from what its norm reads.
#pragma once
#include <algorithm>
#include <cmath>

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

inline Mat<double> X_in_double(const Trace& trace) {
  Mat<double> X = trace.X->cast<double>();
  if (!trace.summed) return X;
  ModelWeights<double> weights;
  for (const Quantity p : {Quantity::gain_E, Quantity::shift_E})
    *field_of(weights, p) = in_double(*field_of(trace.model.weights, p));
  const Mat<double> sum = trace.summed->cast<double>();
  const Mat<double> normed = normed_words<double>(sum, trace.model.settings, weights);
  for (Index k = 0; k < X.size(); ++k)  // entries that are set by hand stay
    if (std::abs(X.data()[k] - normed.data()[k]) <= 1e-5 * std::max(1.0, std::abs(X.data()[k])))
      X.data()[k] = normed.data()[k];
  return X;
}

inline DoubleStack in_double(const Trace& trace) {
  DoubleStack stack;
  stack.stream = share(X_in_double(trace));
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

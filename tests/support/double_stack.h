// A document's layers carried out in double, from the X and the weights that its trace has in floats.
#pragma once
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

inline Array<double> in_double(const Array<float>& values) {
  return values ? share(Mat<double>(values->cast<double>())) : Array<double>();
}

inline std::vector<PaintedRow<double>> in_double(const std::vector<PaintedRow<float>>& rows) {
  std::vector<PaintedRow<double>> doubles;
  for (const PaintedRow<float>& row : rows) doubles.push_back({row.row, in_double(row.values)});
  return doubles;
}

// But for X.
inline LayerInput<double> in_double(const LayerInput<float>& input) {
  LayerInput<double> doubles;
  for (const Quantity p : kWeights) *field_of(doubles.weights, p) = in_double(*field_of(input.weights, p));
  doubles.heads = input.heads;
  doubles.mask = input.mask;
  doubles.settings = input.settings;
  for (const PaintedHead<float>& head : input.painted)
    doubles.painted.push_back({in_double(head.attention), in_double(head.values)});
  doubles.split = input.split;
  doubles.gates.assign(input.gates.begin(), input.gates.end());
  doubles.group_size = input.group_size;
  doubles.slice_factor = static_cast<double>(input.slice_factor);
  return doubles;
}

inline DoubleStack in_double(const Trace& trace) {
  DoubleStack stack;
  stack.stream = in_double(trace.X);
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

#include "core/analysis/answer/changed_heads.h"

#include <algorithm>
#include <cassert>

namespace hydra {

namespace {

// What the heads of a layer give that reads this stream, with the changed ones among them.
Array<float> heads_output(LayerInput<float> input, int layer, const Trace& trace,
                          std::span<const ChangedHead> changed) {
  std::vector<const ChangedHead*> here;
  for (const ChangedHead& head : changed)
    if (head.layer == layer) here.push_back(&head);
  const auto heads = static_cast<std::size_t>(input.heads);
  for (const ChangedHead* head : here) {
    const auto at = static_cast<std::size_t>(head->head);
    if (head->rows.empty()) {
      if (input.gates.empty()) input.gates.assign(heads, 1.0f);
      input.gates[at] = 0;
      continue;
    }
    if (input.painted.empty()) input.painted.resize(heads);
    if (!head->rows.attention.empty()) input.painted[at].attention = head->rows.attention;
    if (!head->rows.values.empty()) input.painted[at].values = head->rows.values;
  }
  const Array<float> output = forward(std::move(input), &trace.layer(layer)).output;
  if (std::ranges::none_of(here, [](const ChangedHead* head) { return static_cast<bool>(head->adds); })) return output;
  Mat<float> sum = *output;
  for (const ChangedHead* head : here)
    if (head->adds) sum += *head->adds;
  return share(std::move(sum));
}

}  // namespace

ModelTrace<float> read_out_with(const Trace& trace, std::span<const ChangedHead> changed) {
  assert(trace.model.logits && !changed.empty());
  const int first = std::ranges::min_element(changed, {}, &ChangedHead::layer)->layer;
  Array<float> stream = trace.block(first).input;
  for (int k = first; k < std::ssize(trace.layers); ++k) {
    const LayerInput<float>& own = trace.layer(k).input;
    const BlockMaking<float> making{own.settings, own.weights, &trace.block(k), nullptr};
    BlockTrace<float> block;
    block.input = stream;
    LayerInput<float> input = own;
    input.X = before_heads(making, block);
    stream = after_heads(making, heads_output(std::move(input), k, trace, changed), block);
  }
  ModelTrace<float> model = trace.model;
  read_out(stream, model, &trace.model);
  return model;
}

}  // namespace hydra

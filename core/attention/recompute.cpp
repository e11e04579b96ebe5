// What a large trace does not keep, recomputed.
#include <algorithm>
#include <cassert>

#include "core/attention/head_rows.h"

namespace hydra {

namespace {

// Block by block, as the forward pass does, so that the bits are the same.
template <class S, class Fill>
Mat<S> in_blocks(Index n, Index cols, const Fill& fill) {
  Mat<S> made(n, cols);
  for (Index k = 0; k < block_count(n); ++k) {
    const RowBlock block = block_of(n, k);
    fill(block.row, MatOut<S>(made.middleRows(block.row, block.rows)));
  }
  return made;
}

// By the nodes that lead to it, those of all heads where they hear one another.
template <class S>
Array<S> stage_again(const LayerTrace<S>& trace, Quantity stage, Index head) {
  const LayerInput<S>& input = trace.input;
  const std::span<const ProgramNode> all = program_of(input.settings).rest;
  const auto last = std::ranges::find(all, stage, &ProgramNode::result);
  assert(last != all.end());
  const std::span<const ProgramNode> nodes(all.begin(), last + 1);
  const Passages passages = passages_to(nodes, std::span(&stage, 1));
  const bool together = std::ranges::any_of(nodes, [&](const ProgramNode& node) {
    return node.operation == Operation::talk && (node.result == stage || passages.find(node.result));
  });
  Making<S> making;
  making.trace = trace;
  making.work.resize(trace.heads.size());
  making.passages = &passages;
  Arena<S> arena;
  const auto h = static_cast<std::size_t>(head);
  Array<S>& slot = making.trace.heads[h][stage];
  making.work[h][stage] = arena.make(slot, slot.stamp(), input.n(), input.along(entry_of(stage).cols));
  Mat<S> largest(1, input.heads);
  for (Index k = 0; k < block_count(input.n()); ++k) {
    const RowBlock block = block_of(input.n(), k);
    if (together)
      make_together<S>(making, nodes, block, largest);
    else
      HeadRows<S>(making, head, block).make(nodes);
  }
  return slot;
}

// By row, when a row is looked at: of many tokens a view shows few.
template <class S>
Array<S> contribution_by_row(const LayerTrace<S>& trace, Index head, Stamp stamp) {
  auto compute = [input = trace.input, of = trace.heads[static_cast<std::size_t>(head)], head](
                     Index row, MatOut<S> out) { compute_contribution<S>(input, of, head, row, out); };
  return {std::make_shared<const RowsLater<S>>(trace.input.n(), trace.input.d_model(), std::move(compute)), stamp};
}

template <class S>
Mat<S> contribution_again(const LayerTrace<S>& trace, Index head) {
  const HeadTrace<S>& h = trace.heads[static_cast<std::size_t>(head)];
  return in_blocks<S>(trace.input.n(), trace.input.d_model(),
                      [&](Index row, MatOut<S> block) { compute_contribution<S>(trace.input, h, head, row, block); });
}

}  // namespace

template <class S>
void keep_output_only(LayerTrace<S>& trace, std::shared_ptr<RecomputedLayers<S>> again) {
  const Array<S> output = trace.output;
  for_each_stage(trace, [](Array<S>& stage) { stage = Array<S>::dropped(stage.stamp()); });
  trace.output = output;
  trace.recomputed = nullptr;
  trace.recomputed_layers = std::move(again);
}

template <class S>
std::shared_ptr<const LayerTrace<S>> whole_of(const LayerTrace<S>& trace) {
  if (trace.is_whole()) return {std::shared_ptr<const LayerTrace<S>>(), &trace};  // the caller's
  return trace.recomputed_layers->get(trace.output.stamp(),
                                      [&] { return std::make_shared<const LayerTrace<S>>(forward(trace.input)); });
}

template <class S>
Array<S> pattern_once(const LayerTrace<S>& trace, Quantity stage, Index head) {
  const Array<S>& pattern = trace.heads[static_cast<std::size_t>(head)][stage];
  return pattern ? pattern : stage_again(trace, stage, head);
}

template <class S>
Array<S> contribution_once(const LayerTrace<S>& trace, Index head) {
  const Array<S>& contribution = trace.heads[static_cast<std::size_t>(head)].contribution;
  return contribution ? contribution : share(contribution_again(trace, head), contribution.stamp());
}

template <class S>
Array<S> pattern_of(const LayerTrace<S>& trace, Quantity stage, Index head) {
  if (!trace.recomputed) return pattern_once(trace, stage, head);
  return trace.recomputed->patterns.get({stage, head}, [&] { return pattern_once(trace, stage, head); });
}

template <class S>
Array<S> contribution_of(const LayerTrace<S>& trace, Index head) {
  const Array<S>& kept = trace.heads[static_cast<std::size_t>(head)].contribution;
  if (kept || !trace.recomputed) return contribution_once(trace, head);
  return trace.recomputed->contributions.get(head, [&] { return contribution_by_row(trace, head, kept.stamp()); });
}

template <class S>
Mat<S> contributions_to(const LayerTrace<S>& trace, Index token) {
  const Index n = trace.input.n(), count = block_count(n);
  RowBlock block = block_of(n, std::min(token * count / n, count - 1));
  if (block.row + block.rows <= token) block = block_of(n, block.index + 1);
  Mat<S> rows(trace.input.heads, trace.input.d_model()), again(trace.recomputed ? block.rows : 0, rows.cols());
  for (Index h = 0; h < rows.rows(); ++h) {
    const HeadTrace<S>& head = trace.heads[static_cast<std::size_t>(h)];
    if (!trace.recomputed) {
      rows.row(h) = head.contribution->row(token);
      continue;
    }
    compute_contribution<S>(trace.input, head, h, block.row, again);
    rows.row(h) = again.row(token - block.row);
  }
  return rows;
}

#define HYDRA_MADE_AGAIN(S)                                                             \
  template Array<S> pattern_of(const LayerTrace<S>&, Quantity, Index);                  \
  template Array<S> contribution_of(const LayerTrace<S>&, Index);                       \
  template Array<S> pattern_once(const LayerTrace<S>&, Quantity, Index);                \
  template Array<S> contribution_once(const LayerTrace<S>&, Index);                     \
  template Mat<S> contributions_to(const LayerTrace<S>&, Index);                        \
  template void keep_output_only(LayerTrace<S>&, std::shared_ptr<RecomputedLayers<S>>); \
  template std::shared_ptr<const LayerTrace<S>> whole_of(const LayerTrace<S>&);
HYDRA_MADE_AGAIN(float)
HYDRA_MADE_AGAIN(double)
#undef HYDRA_MADE_AGAIN

}  // namespace hydra

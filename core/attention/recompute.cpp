// What a large trace does not keep, recomputed.
#include <algorithm>
#include <cassert>

#include "core/attention/stages.h"

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

template <class S>
Mat<S> pattern_again(const LayerTrace<S>& trace, Quantity stage, Index head) {
  const LayerInput<S>& input = trace.input;
  const auto alone = [&](Index h, Index row, MatOut<S> block) {
    score<S>(input, trace.heads[static_cast<std::size_t>(h)], h, row, block,
             is_of_second(stage) ? Half::second : half_of_scores(input.settings));
  };
  const bool heard = talk_before(input.settings) && stage != Quantity::own_scores;
  return in_blocks<S>(input.n(), input.n(), [&](Index row, MatOut<S> block) {
    if (!heard) alone(head, row, block);
    Mat<S> of_one(heard ? block.rows() : 0, block.cols());
    const auto part = [&](Index h) -> MatView<S> {
      alone(h, row, of_one);
      return of_one;
    };
    if (heard) mix_scores_across_heads<S>(input, head, row, part, block);
    if (is_attention(stage)) attend_with<S>(input.mask, row, block, input.sink(head), block);
  });
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
  return pattern ? pattern : share(pattern_again(trace, stage, head), pattern.stamp());
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
  if (!trace.recomputed) return contribution_once(trace, head);
  return trace.recomputed->contributions.get(head, [&] { return contribution_once(trace, head); });
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

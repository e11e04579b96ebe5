// How a head comes to what it attends with where that is the difference of two patterns (ops/differ.h).
#pragma once
#include "core/attention/together.h"
#include "core/linalg/largest.h"
#include "core/ops/painted.h"

namespace hydra {

// The stages of a block of rows from scores to attention. Those that are not kept stand in the place of attention and
// beside it; then gives the largest of the first scores.
template <class S>
S attend_by_difference(const LayerTrace<S>& trace, const HeadTrace<S>& head, const HeadWork<S>& work, Index h,
                       Index row, Index rows) {
  const LayerInput<S>& input = trace.input;
  const auto in = [&](const Array<S>& stage) { return stage->middleRows(row, rows); };
  const auto softmaxed = [&](MatIn<S> scores, MatOut<S> out) {
    attend_with<S>(input.mask, row, scores, input.sink(h), out);
  };
  if (work.scores) score<S>(input, head, h, row, work.scores.rows(row, rows), Half::first);
  if (work.scores_2) score<S>(input, head, h, row, work.scores_2.rows(row, rows), Half::second);
  if (work.own_attention) softmaxed(in(head.scores), work.own_attention.rows(row, rows));
  if (work.attention_2) softmaxed(in(head.scores_2), work.attention_2.rows(row, rows));
  if (!work.attention) return 0;
  MatOut<S> attention = work.attention.rows(row, rows);
  const S lambda = (*trace.lambda)(0, 0);
  S largest = 0;
  if (input.keep_all) {
    differ::forward<S>(in(head.own_attention), in(head.attention_2), lambda, attention);
  } else {
    Mat<S> second(rows, input.n());
    score<S>(input, head, h, row, attention, Half::first);
    score<S>(input, head, h, row, second, Half::second);
    largest = largest_finite<S>(attention);
    softmaxed(attention, attention);
    softmaxed(second, second);
    differ::forward<S>(attention, second, lambda, attention);
  }
  if (const PaintedHead<S>* by_hand = painted_head(input.painted, h))
    painted::forward<S>(by_hand->attention, row, attention);
  return largest;
}

}  // namespace hydra

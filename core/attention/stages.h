// Stages of the forward pass over a block of rows, for those who make a whole trace and those who make one stage again.
// The size of a block depends on n alone, so every product has the same shape, and every number the same bits.
#pragma once
#include <algorithm>

#include "core/attention/forward.h"
#include "core/model/program.h"
#include "core/ops/differ.h"
#include "core/ops/gate.h"
#include "core/ops/linear.h"
#include "core/ops/mix.h"
#include "core/ops/norm.h"
#include "core/ops/rotate.h"
#include "core/ops/scale.h"
#include "core/ops/scores.h"
#include "core/ops/softmax.h"
#include "core/ops/talk.h"

namespace hydra {

// Waking the pool takes longer than this many multiply-adds.
inline constexpr Index kTooLittleToCut = 1'000'000;

inline Index block_count(Index n) {
  constexpr Index kBlockRows = 64;
  return (n + kBlockRows - 1) / kBlockRows;
}

struct RowBlock {
  Index index = 0, row = 0, rows = 0;
};
inline RowBlock block_of(Index n, Index index) {
  const Index count = block_count(n), row = n * index / count;
  return {index, row, n * (index + 1) / count - row};
}

// A part of a product's result that is worth a task. A kernel copies the columns' panel of B for every 256 rows, so
// pieces are that high, and as narrow as lets all threads have some. (Bits do not depend on it: linalg/matmul.h.)
struct Piece {
  Index row, rows, col, cols;
};
class Pieces {
 public:
  Pieces(Index rows, Index cols) : rows_(rows), cols_(cols) {}
  Index count() const { return down() * across(); }
  Piece operator[](Index k) const {
    const Index row = k % down() * kRows, col = k / down() * kCols;
    return {row, std::min(kRows, rows_ - row), col, std::min(kCols, cols_ - col)};
  }

 private:
  static constexpr Index kRows = 256, kCols = 128;
  Index down() const { return (rows_ + kRows - 1) / kRows; }
  Index across() const { return (cols_ + kCols - 1) / kCols; }
  Index rows_, cols_;
};

// Queries or keys of a head, from that place on, as they meet in the scores: in their own place. gain: the head's part.
template <class S>
void norm_and_rotate(const LayerInput<S>& input, MatIn<S> gain, Index place, MatOut<S> rows) {
  if (input.settings.qk_norm)
    norm::forward<S>(rows, gain, Mat<S>(), NormKind::rms, input.settings.norm_epsilon, rows,
                     query_parts(input.settings));
  if (input.settings.rotary) rotate::forward<S>(rows, rotate::rotation_of(input.settings, rows.cols()), place, rows);
}

// The scores of the block's queries, as the head has them alone: of all columns or of a half of them.
template <class S>
void score(const LayerInput<S>& input, MatIn<S> asking, MatIn<S> asked, Index h, Index row, MatOut<S> scores,
           Half half = Half::none) {
  const Range cols = columns_of(half, input.d_k());
  scores::forward<S>(asking.block(row, cols.first, scores.rows(), cols.count()),
                     asked.middleCols(cols.first, cols.count()), input.score_rule(h), input.mask, row, scores);
}

// What the block's queries attend to [rows x n], which may stand in the place of their scores, and what they take from
// it [rows x d_k]. Keys that a causal mask hides from all of them are not visited.
template <class S>
void attend_with(const Mask& mask, Index row, MatIn<S> scores, std::optional<S> sink, MatOut<S> attention) {
  const Index keys = scores::keys_to_visit(mask, row, scores.rows(), scores.cols());
  softmax::forward<S>(scores.leftCols(keys), attention.leftCols(keys), sink);
  if (keys < scores.cols()) attention.rightCols(scores.cols() - keys).setZero();
}
template <class S>
void mix_by(const Mask& mask, Index row, MatIn<S> attention, MatIn<S> V, MatOut<S> output) {
  const Index keys = scores::keys_to_visit(mask, row, attention.rows(), attention.cols());
  mix::forward<S>(attention.leftCols(keys), V.topRows(keys), output);
}

// Where heads talk: what softmax sees of the block's queries, and what they attend with, out of the same rows of what
// each head has alone, part(l).
template <class S, class Part>
void mix_scores_across_heads(const LayerInput<S>& input, Index h, Index row, const Part& part, MatOut<S> scores) {
  const Index keys = scores::keys_to_visit(input.mask, row, scores.rows(), scores.cols());
  const auto visited = [&](Index l) -> MatView<S> { return part(l).leftCols(keys); };
  talk::forward<S>(*input.weights.P_L, h, visited, scores.leftCols(keys));
  scores.rightCols(scores.cols() - keys).setZero();
  apply_mask<S>(input.mask, row, scores);
}
template <class S, class Part>
void mix_weights_across_heads(const LayerInput<S>& input, Index h, Index row, const Part& part, MatOut<S> attention) {
  const Index keys = scores::keys_to_visit(input.mask, row, attention.rows(), attention.cols());
  const auto visited = [&](Index l) -> MatView<S> { return part(l).leftCols(keys); };
  talk::forward<S>(*input.weights.P_W, h, visited, attention.leftCols(keys));
  attention.rightCols(attention.cols() - keys).setZero();
}

// Of differential attention: how much of the second pattern is taken away, and a head's output as it leaves it, which
// may stand in its own place.
template <class S>
S lambda_of(const LayerInput<S>& input) {
  const AttentionWeights<S>& w = input.weights;
  return differ::lambda<S>(*w.lambda_q1, *w.lambda_k1, *w.lambda_q2, *w.lambda_k2, input.settings.lambda_0);
}
template <class S>
void normalize_output(const LayerInput<S>& input, Index h, MatIn<S> output, MatOut<S> normed) {
  const Index d_k = input.d_k();
  norm::forward<S>(output, linear::part_of(input.weights.gain_O, h * d_k, d_k), Mat<S>(), NormKind::rms,
                   input.settings.norm_epsilon, normed);
  scale::forward<S>(normed, static_cast<S>(1 - input.settings.lambda_0), normed);
}

// The output's gates for rows of what the heads read, side by side: as wide as all heads, or a column for each.
template <class S>
const Array<S>& gate_weights(const LayerInput<S>& input) {
  return input.settings.output_gate == OutputGate::head ? input.weights.w_G : input.weights.W_G;
}
// Those of a head.
template <class S>
MatView<S> gates_of(const LayerInput<S>& input, MatIn<S> gates, Index h) {
  if (input.settings.output_gate == OutputGate::head) return gates.middleCols(h, 1);
  return gates.middleCols(h * input.d_k(), input.d_k());
}

// What the head adds to the block's rows of the output, in its columns from col on.
template <class S>
void compute_contribution(const LayerInput<S>& input, const HeadTrace<S>& head, Index h, Index row,
                          MatOut<S> contribution, Index col = 0) {
  if (input.gate(h) != 0)
    linear::forward<S>(head.leaving()->middleRows(row, contribution.rows()),
                       input.weights.W_O->block(h * input.d_k(), col, input.d_k(), contribution.cols()), Mat<S>(),
                       contribution);
  scale::forward<S>(contribution, input.gate(h), contribution);
}

}  // namespace hydra

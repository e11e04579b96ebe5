// Stages of the forward pass over a block of rows, for those who make a whole trace and those who make one stage again.
// The size of a block depends on n alone, so every product has the same shape, and every number the same bits.
#pragma once
#include <algorithm>
#include <cassert>
#include <vector>

#include "core/attention/forward.h"
#include "core/model/program.h"
#include "core/ops/activate.h"
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

// Queries or keys, from that token on, as they meet in the scores: in their own place. Of heads that stand side by
// side, whose gains begin at that column: one of them, or, where those of all are normalised as one row, all.
template <class S>
void norm_and_rotate(const LayerInput<S>& input, const Array<S>& gain, Index first, Index token, MatOut<S> rows) {
  const Index d_k = input.d_k(), heads = rows.cols() / d_k;
  const bool together = norms_all_heads(input.settings);
  assert(!together || rows.cols() == gain.cols());
  if (input.settings.qk_norm)
    norm::forward<S>(rows, gain->middleCols(first, rows.cols()), Mat<S>(), NormKind::rms, input.settings.norm_epsilon,
                     rows, together ? 1 : heads * query_parts(input.settings));
  if (!input.settings.rotary) return;
  const rotate::Rotation rotation = rotate::rotation_of(input.settings, d_k);
  for (Index col = 0; col < rows.cols(); col += d_k)
    rotate::forward<S>(rows.middleCols(col, d_k), rotation, input.place(token), rows.middleCols(col, d_k));
}
// Of the block's rows, what each is divided by where all heads' queries, or keys, are normalised as one: part(h) has
// those of a head, which heads of a group share.
template <class S, class Part>
std::vector<double> roots_of_all(const LayerInput<S>& input, const KeyGroups& groups, RowBlock block,
                                 const Part& part) {
  const Index d_k = input.d_k();
  RowVec<S> row(groups.sets() * d_k);
  std::vector<double> roots;
  for (Index i = block.row; i < block.row + block.rows; ++i) {
    for (Index k = 0; k < groups.sets(); ++k) row.segment(k * d_k, d_k) = part(groups.first(k)).row(i);
    roots.push_back(norm::size_of(row.data(), row.size(), NormKind::rms, input.settings.norm_epsilon).root);
  }
  return roots;
}

// The scores of the block's queries, as the head has them alone: of all columns or of a half of them.
template <class S>
void score(const LayerInput<S>& input, MatIn<S> asking, MatIn<S> asked, Index h, Index row, MatOut<S> scores,
           Half half = Half::none) {
  const Range cols = columns_of(half, input.d_k());
  scores::forward<S>(asking.block(row, cols.first, scores.rows(), cols.count()),
                     asked.middleCols(cols.first, cols.count()), input.score_rule(h), input.mask_of(h), row, scores);
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

// What is left of the block's weights, in their own place, where some are dropped; of keys from that one on.
template <class S>
void drop_some(const LayerInput<S>& input, Index h, Index row, Index first_key, MatOut<S> attention) {
  if (input.settings.dropout == 0) return;
  dropout::forward<S>(attention, input.dropout_rule(h), input.place(row), input.place(first_key), attention);
}

// Where heads talk: what softmax sees of the block's queries, and what they attend with, out of the same rows of what
// each head has alone, part(l).
template <class S, class Part>
void mix_scores_across_heads(const LayerInput<S>& input, Index h, Index row, const Part& part, MatOut<S> scores) {
  const Index keys = scores::keys_to_visit(input.mask_of(h), row, scores.rows(), scores.cols());
  const auto visited = [&](Index l) -> MatView<S> { return part(l).leftCols(keys); };
  talk::forward<S>(*input.weights.P_L, h, visited, scores.leftCols(keys));
  scores.rightCols(scores.cols() - keys).setZero();
  apply_mask<S>(input.mask_of(h), row, scores);
}
template <class S, class Part>
void mix_weights_across_heads(const LayerInput<S>& input, Index h, Index row, const Part& part, MatOut<S> attention) {
  const Index keys = scores::keys_to_visit(input.mask_of(h), row, attention.rows(), attention.cols());
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
                       Factor<S>(input.weights.W_O).block(h * input.d_k(), input.d_k(), col, contribution.cols()), Mat<S>(),
                       contribution);
  scale::forward<S>(contribution, input.gate(h), contribution);
}

// A node that stands around the heads, for some rows: rows(k) of its k-th operand, whole(k) where that is a parameter;
// empty where it has none.
template <class S, class Rows, class Whole>
void make_block_rows(const ProgramNode& node, const LayerSettings& settings, const Rows& rows, const Whole& whole,
                     MatOut<S> out) {
  switch (node.operation) {
    case Operation::linear:
      return linear::forward<S>(rows(0), whole(1), whole(2), out);
    case Operation::norm:
      return norm::forward<S>(rows(0), whole(1), whole(2), settings.norm_kind, settings.norm_epsilon, out);
    case Operation::activate:
      return activate::forward<S>(rows(0), rows(1), settings.activation, out);
    case Operation::add:
      out = rows(0) + rows(1);
      if (node.reads().size() > 2) out += rows(2);
      return;
    case Operation::multiply:
      return gate::forward<S>(rows(0), rows(1), out);
    default:
      assert(false);
  }
}

}  // namespace hydra

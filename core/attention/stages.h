// Stages of the forward pass over a block of rows, for those who make a whole trace and those who make one stage again.
// The size of a block depends on n alone, so every product has the same shape, and every number the same bits.
#pragma once
#include <limits>

#include "core/attention/forward.h"
#include "core/attention/tiles.h"
#include "core/linalg/matmul.h"

namespace hydra {

inline Index block_count(Index n) {
  constexpr Index kBlockRows = 64;
  return (n + kBlockRows - 1) / kBlockRows;
}

struct Block {
  Index index = 0, row = 0, rows = 0;
};
inline Block block_of(Index n, Index index) {
  const Index count = block_count(n), row = n * index / count;
  return {index, row, n * (index + 1) / count - row};
}

// The scores of the block's queries. Keys that a causal mask hides from all of them are not computed.
template <class S>
void score(const LayerInput<S>& input, const HeadTrace<S>& head, Index row, MatOut<S> scores) {
  const Index keys = keys_to_visit(input.mask, row, scores.rows(), input.n());
  multiply_transposed<S>(head.Q->middleRows(row, scores.rows()), head.K->topRows(keys), input.score_factor(),
                         scores.leftCols(keys));
  scores.rightCols(input.n() - keys).setConstant(-std::numeric_limits<S>::infinity());
  apply_mask<S>(input.mask, row, scores);
}

// What the head adds to the block's rows of the output.
template <class S>
void contribute(const LayerInput<S>& input, const HeadTrace<S>& head, Index h, Index row, MatOut<S> contribution) {
  if (input.gate(h) == 0) {  // silent, whatever the head gives
    contribution.setZero();
    return;
  }
  multiply<S>(head.output->middleRows(row, contribution.rows()),
              input.weights.W_O->middleRows(h * input.d_k(), input.d_k()), contribution);
  if (input.gate(h) != 1) contribution *= input.gate(h);
}

}  // namespace hydra

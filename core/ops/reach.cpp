#include "core/ops/reach.h"

#include <algorithm>
#include <cassert>

namespace hydra {

Range keys_of(const Mask& mask, const Range& queries, Index n) {
  if (mask.kind == Mask::Kind::none) return {0, n};
  if (mask.kind == Mask::Kind::causal) return {0, queries.last};
  Range keys{n, 0};
  for (Index i = queries.first; i < queries.last; ++i)
    for (Index j = 0; j < n; ++j)
      if (mask.allows(i, j)) keys = {std::min(keys.first, j), std::max(keys.last, j + 1)};
  return keys;
}

Range queries_of(const Mask& mask, const Range& keys, Index n) {
  if (mask.kind == Mask::Kind::none) return {0, n};
  if (mask.kind == Mask::Kind::causal) return {keys.first, n};
  Range queries{n, 0};
  for (Index i = 0; i < n; ++i)
    for (Index j = keys.first; j < keys.last; ++j)
      if (mask.allows(i, j)) queries = {std::min(queries.first, i), std::max(queries.last, i + 1)};
  return queries;
}

Block reads(const Reaching& at, Operation operation, std::size_t operand, const Block& result) {
  const Block& whole = at.whole_operand;
  switch (operation) {
    case Operation::add:  // of one row for all tokens: that row
      return {whole.rows.count() == 1 ? whole.rows : result.rows, result.cols};
    case Operation::norm:  // X, gain, shift
      return operand == 0 ? Block{result.rows, whole.cols} : Block{whole.rows, result.cols};
    case Operation::activate:
      return result;
    case Operation::linear:  // X, W, b
      return operand == 0 ? Block{result.rows, whole.cols} : Block{whole.rows, result.cols};
    case Operation::outer:  // A, B, and a row for all
      if (operand == 2) return {whole.rows, result.cols};
      return {operand == 0 ? result.rows : result.cols, whole.cols};
    case Operation::scores:
      return {operand == 0 ? result.rows : result.cols, whole.cols};
    case Operation::softmax:  // over keys, or over words
      return {result.rows, at.over_words ? whole.cols : keys_of(at.mask, result.rows, at.tokens)};
    case Operation::lookup: {  // the rows of its tokens, from the first to the last
      Range rows{whole.rows.last, 0};
      for (Index i = result.rows.first; i < result.rows.last; ++i)
        if (const Index row = at.row_of(i); row != lookup::kNoRow)
          rows = {std::min(rows.first, row), std::max(rows.last, row + 1)};
      return {rows, result.cols};
    }
    case Operation::mix: {
      const Range keys = keys_of(at.mask, result.rows, at.tokens);
      return operand == 0 ? Block{result.rows, keys} : Block{keys, result.cols};
    }
    case Operation::weigh:  // A, V, W
      return operand == 0 ? result : operand == 1 ? Block{result.cols, whole.cols} : whole;
    case Operation::join:
    case Operation::mean:
      return result;
  }
  assert(false);
  return {};
}

Block reaches(const Reaching& at, Operation operation, std::size_t operand, const Block& block) {
  const Block& whole = at.whole_result;
  switch (operation) {
    case Operation::add:
      return {at.whole_operand.rows.count() == 1 ? whole.rows : block.rows, block.cols};
    case Operation::linear:
      return operand == 0 ? Block{block.rows, whole.cols} : Block{whole.rows, block.cols};
    case Operation::norm:
      return operand == 0 ? Block{block.rows, whole.cols} : Block{whole.rows, block.cols};
    case Operation::activate:
      return block;
    case Operation::outer:
      if (operand == 2) return {whole.rows, block.cols};
      return operand == 0 ? Block{block.rows, whole.cols} : Block{whole.rows, block.rows};
    case Operation::lookup: {
      Range rows{whole.rows.last, 0};
      for (Index i = whole.rows.first; i < whole.rows.last; ++i)
        if (const Index row = at.row_of(i); block.rows.first <= row && row < block.rows.last)
          rows = {std::min(rows.first, i), std::max(rows.last, i + 1)};
      return {rows, block.cols};
    }
    case Operation::scores:
      return operand == 0 ? Block{block.rows, keys_of(at.mask, block.rows, at.tokens)}
                          : Block{queries_of(at.mask, block.rows, at.tokens), block.rows};
    case Operation::softmax:
      return {block.rows, whole.cols};
    case Operation::mix:
      return operand == 0 ? Block{block.rows, whole.cols}
                          : Block{queries_of(at.mask, block.rows, at.tokens), block.cols};
    case Operation::weigh:
      return operand == 0   ? block
             : operand == 1 ? Block{queries_of(at.mask, block.rows, at.tokens), block.rows}
                            : whole;
    case Operation::join:
    case Operation::mean:
      return block;
  }
  assert(false);
  return {};
}

}  // namespace hydra

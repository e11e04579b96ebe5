#include "core/ops/reach.h"

#include <algorithm>
#include <cassert>

#include "core/ops/rotate.h"
#include "core/ops/scores.h"

namespace hydra {

Range keys_of(const Mask& mask, const Range& queries, Index n) {
  if (queries.last <= mask.first) return {};
  if (mask.kind == Mask::Kind::none) return {mask.first, n};
  if (mask.kind == Mask::Kind::causal)
    return {mask.window == 0 ? mask.first : std::max(mask.first, queries.first - mask.window + 1), queries.last};
  Range keys{n, 0};
  for (Index i = queries.first; i < queries.last; ++i)
    for (Index j = 0; j < n; ++j)
      if (mask.allows(i, j)) keys = {std::min(keys.first, j), std::max(keys.last, j + 1)};
  return keys;
}

Range queries_of(const Mask& mask, const Range& keys, Index n) {
  if (keys.last <= mask.first) return {};
  if (mask.kind == Mask::Kind::none) return {mask.first, n};
  if (mask.kind == Mask::Kind::causal)
    return {std::max(mask.first, keys.first), mask.window == 0 ? n : std::min(n, keys.last + mask.window - 1)};
  Range queries{n, 0};
  for (Index i = 0; i < n; ++i)
    for (Index j = keys.first; j < keys.last; ++j)
      if (mask.allows(i, j)) queries = {std::min(queries.first, i), std::max(queries.last, i + 1)};
  return queries;
}

namespace {

// The columns and those that they are rotated with: a column that passes alone; of neighbours pairs, of halves all that
// are rotated of the part of the head.
Range turned_with(const Reaching& at, const Range& cols) {
  const Index whole = at.whole_operand.cols.count();
  const rotate::Rotation by = rotate::rotation_of(at.settings, whole);
  Range all = cols;
  const Index part = by.part == 0 ? whole : by.part;
  for (Index from = cols.first / part * part; from < cols.last; from += part) {
    const Range rotated{std::max(cols.first, from), std::min(cols.last, from + by.width)};
    if (rotated.empty()) continue;
    const bool halves = by.pairs == RotaryPairs::halves;
    const Index first = halves ? from : from + (rotated.first - from) / 2 * 2;
    const Index last = halves ? from + by.width : from + (rotated.last - from + 1) / 2 * 2;
    all = {std::min(all.first, first), std::max(all.last, last)};
  }
  return all;
}

// Of a row whose parts are each normed, or softmaxed, by themselves, all of those that the columns are in.
Range in_parts(const Reaching& at, const Range& cols) {
  const Index part = at.whole_operand.cols.count() / at.parts;
  return {cols.first / part * part, (cols.last + part - 1) / part * part};
}

// Places among a head's biases of the offsets between the queries and the keys of a block.
Range offsets_of(const Reaching& at, const Block& pairs) {
  const Index reach = at.settings.offset_reach;
  return {scores::place_of_offset(pairs.cols.first - (pairs.rows.last - 1), reach),
          scores::place_of_offset(pairs.cols.last - 1 - pairs.rows.first, reach) + 1};
}
// The queries and keys with such offsets, those at the ends and what is beyond.
Block pairs_of(const Reaching& at, const Range& offsets) {
  const Index reach = at.settings.offset_reach, n = at.tokens;
  const Index least = offsets.first == 0 ? 1 - n : offsets.first - reach;
  const Index most = offsets.last == 2 * reach + 1 ? n - 1 : offsets.last - 1 - reach;
  if (offsets.empty() || least >= n || most <= -n) return {};
  return {{std::max<Index>(0, -most), std::min(n, n - least)}, {std::max<Index>(0, least), std::min(n, n + most)}};
}

}  // namespace

Block reads(const Reaching& at, Operation operation, std::size_t operand, const Block& result) {
  const Block& whole = at.whole_operand;
  switch (operation) {
    case Operation::add:  // of one row for all tokens: that row
      return {whole.rows.count() == 1 ? whole.rows : result.rows, result.cols};
    case Operation::norm:  // X, gain, shift
      return operand == 0 ? Block{result.rows, in_parts(at, result.cols)} : Block{whole.rows, result.cols};
    case Operation::activate:
    case Operation::drop:
      return result;
    case Operation::talk:  // X, P: of all heads the same place
      return operand == 0 ? result : Block{at.heads, whole.cols};
    case Operation::open:    // X, W
    case Operation::linear:  // X, W, b
      return operand == 0 ? Block{result.rows, whole.cols} : Block{whole.rows, result.cols};
    case Operation::outer:  // A, B, and a row for all
      if (operand == 2) return {whole.rows, result.cols};
      return {operand == 0 ? result.rows : result.cols, whole.cols};
    case Operation::scores:
      if (operand == 2) return {at.heads, offsets_of(at, result)};
      return {operand == 0 ? result.rows : result.cols, columns_of(at.half, whole.cols.count())};
    case Operation::lambda:
      return whole;
    case Operation::subtract:  // A, B, lambda
      return operand == 2 ? whole : result;
    case Operation::softmax:  // S, sink; over keys, or over words
      if (operand == 1) return {whole.rows, at.heads};
      return {result.rows, at.over_words ? in_parts(at, result.cols) : keys_of(at.mask, result.rows, at.tokens)};
    case Operation::lookup: {  // the rows of its tokens, from the first to the last
      Range rows{whole.rows.last, 0};
      for (Index i = result.rows.first; i < result.rows.last; ++i)
        at.for_each_row_of(i, [&](Index row) { rows = {std::min(rows.first, row), std::max(rows.last, row + 1)}; });
      return {rows, result.cols};
    }
    case Operation::mix: {
      const Range keys = keys_of(at.mask, result.rows, at.tokens);
      return operand == 0 ? Block{result.rows, keys} : Block{keys, result.cols};
    }
    case Operation::weigh:  // A, V, W
      return operand == 0 ? result : operand == 1 ? Block{result.cols, whole.cols} : whole;
    case Operation::rotate:
      return {result.rows, turned_with(at, result.cols)};
    case Operation::multiply:
      return at.column_of_head ? Block{result.rows, at.heads} : result;
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
    case Operation::open:
    case Operation::linear:
      return operand == 0 ? Block{block.rows, whole.cols} : Block{whole.rows, block.cols};
    case Operation::norm:
      return operand == 0 ? Block{block.rows, in_parts(at, block.cols)} : Block{whole.rows, block.cols};
    case Operation::activate:
    case Operation::drop:
      return block;
    case Operation::lambda:
      return whole;
    case Operation::subtract:
      return operand == 2 ? whole : block;
    case Operation::talk:
      return operand == 0 ? block : whole;
    case Operation::outer:
      if (operand == 2) return {whole.rows, block.cols};
      return operand == 0 ? Block{block.rows, whole.cols} : Block{whole.rows, block.rows};
    case Operation::lookup: {
      Range rows{whole.rows.last, 0};
      for (Index i = whole.rows.first; i < whole.rows.last; ++i)
        at.for_each_row_of(i, [&](Index row) {
          if (block.rows.first <= row && row < block.rows.last)
            rows = {std::min(rows.first, i), std::max(rows.last, i + 1)};
        });
      return {rows, block.cols};
    }
    case Operation::scores:
      if (operand == 2) return pairs_of(at, block.cols);
      if (const Range cols = columns_of(at.half, at.whole_operand.cols.count());
          block.cols.last <= cols.first || cols.last <= block.cols.first)
        return {};
      return operand == 0 ? Block{block.rows, keys_of(at.mask, block.rows, at.tokens)}
                          : Block{queries_of(at.mask, block.rows, at.tokens), block.rows};
    case Operation::softmax:
      return operand == 0 ? Block{block.rows, in_parts(at, block.cols)} : whole;
    case Operation::mix:
      return operand == 0 ? Block{block.rows, whole.cols}
                          : Block{queries_of(at.mask, block.rows, at.tokens), block.cols};
    case Operation::weigh:
      return operand == 0   ? block
             : operand == 1 ? Block{queries_of(at.mask, block.rows, at.tokens), block.rows}
                            : whole;
    case Operation::rotate:
      return {block.rows, turned_with(at, block.cols)};
    case Operation::multiply:
      return at.column_of_head ? Block{block.rows, whole.cols} : block;
    case Operation::join:
    case Operation::mean:
      return block;
  }
  assert(false);
  return {};
}

}  // namespace hydra

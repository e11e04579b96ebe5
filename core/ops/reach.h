// Which block of an operand a block of the result is computed from, and which block of the result a block of an operand
// reaches: of every operation, by the sizes and the mask alone. Never too small; exact but for what a custom mask
// leaves out between the first and the last key of a query, for what lies between the two columns of a pair that are
// rotated together, for what stands off the diagonals of an offset, for weights that are dropped, and for what stands
// between two tokens of one word or two words of one token. (Of several heads whose masks differ,
// explain/reached_blocks.h takes what any of them sees.)
#pragma once
#include "core/linalg/index_lists.h"
#include "core/model/mask.h"
#include "core/model/program.h"
#include "core/model/range.h"

namespace hydra {

// The keys that a query of the range may attend to, from the first to the last, and the queries that may attend to a
// key of it; n tokens.
Range keys_of(const Mask& mask, const Range& queries, Index n);
Range queries_of(const Mask& mask, const Range& keys, Index n);

struct Reaching;
struct Reaching {
  const Mask& mask;
  Index tokens;
  Block whole_operand, whole_result;  // of one head, where they have heads
  const LayerSettings& settings;
  Range heads;                       // that are asked for
  const IndexLists* rows = nullptr;  // of a lookup: each token's; none: token i has row i, where there is one,
  Index first_place = 0;             // less this
  bool over_words = false;           // of softmax: no mask hides words
  Half half = Half::none;            // of scores: the columns that meet
  bool column_of_head = false;       // the operand of a product has a column for each head
  Index parts = 1;                   // of a norm, and of softmax over words: of each row so many go by themselves

  // Of a lookup.
  template <class Visit>
  void for_each_row_of(Index token, const Visit& visit) const {
    const Index place = token - first_place;
    if (!rows && place >= 0 && place < whole_operand.rows.last) visit(place);
    if (!rows) return;
    for (const Index row : rows->of(token)) visit(row);
  }
};
// operand: its place in the node's list.
Block reads(const Reaching& at, Operation operation, std::size_t operand, const Block& result);
Block reaches(const Reaching& at, Operation operation, std::size_t operand, const Block& block);

}  // namespace hydra

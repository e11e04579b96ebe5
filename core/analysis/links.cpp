#include "core/analysis/links.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace hydra {

namespace {

using Role = Region::Role;

struct Range {
  Index first = 0, last = 0;  // [first, last)
  bool empty() const { return first >= last; }
  bool contains(Index k) const { return first <= k && k < last; }
};

struct Block {
  Range rows, cols;
  bool empty() const { return rows.empty() || cols.empty(); }
  bool contains(const Block& other) const {
    return rows.first <= other.rows.first && other.rows.last <= rows.last && cols.first <= other.cols.first &&
           other.cols.last <= cols.last;
  }
};

Range just(Index k) { return {k, k + 1}; }

// The keys a query may attend to, from the first to the last.
Range keys_of(const LayerInput<float>& input, Index query) {
  const Index n = input.n();
  if (input.mask.kind == Mask::Kind::none) return {0, n};
  if (input.mask.kind == Mask::Kind::causal) return {0, query + 1};
  Range keys{n, 0};
  for (Index j = 0; j < n; ++j)
    if (input.mask.allows(query, j)) keys = {std::min(keys.first, j), j + 1};
  return keys;
}

// The queries that may attend to a key, from the first to the last.
Range queries_of(const LayerInput<float>& input, Index key) {
  const Index n = input.n();
  if (input.mask.kind == Mask::Kind::none) return {0, n};
  if (input.mask.kind == Mask::Kind::causal) return {key, n};
  Range queries{n, 0};
  for (Index i = 0; i < n; ++i)
    if (input.mask.allows(i, key)) queries = {std::min(queries.first, i), i + 1};
  return queries;
}

// Blocks of every quantity of a layer that one cell reaches, for a range of heads that share them (coordinates of
// head-bound quantities and weights are those of each head's own block). At most two blocks each: what the query side
// and what the key side reach.
class Reach {
 public:
  explicit Reach(const LayerInput<float>& input)
      : n_(input.n()), d_model_(input.d_model()), d_k_(input.d_k()), heads_{0, input.heads} {}

  void add(Quantity quantity, const Block& block) {
    if (block.empty()) return;
    Blocks& blocks = blocks_[static_cast<std::size_t>(quantity)];
    for (int k = 0; k < blocks.count; ++k)
      if (blocks.block[static_cast<std::size_t>(k)].contains(block)) return;
    int kept = 0;
    for (int k = 0; k < blocks.count; ++k)
      if (const Block old = blocks.block[static_cast<std::size_t>(k)]; !block.contains(old))
        blocks.block[static_cast<std::size_t>(kept++)] = old;
    assert(kept < 2);
    blocks.block[static_cast<std::size_t>(kept)] = block;
    blocks.count = kept + 1;
  }

  template <class Visit>
  void each(Quantity quantity, Visit visit) const {
    const Blocks& blocks = blocks_[static_cast<std::size_t>(quantity)];
    for (int k = 0; k < blocks.count; ++k) visit(blocks.block[static_cast<std::size_t>(k)]);
  }

  Range tokens() const { return {0, n_}; }
  Range model() const { return {0, d_model_}; }
  Range head_dims() const { return {0, d_k_}; }
  Range heads() const { return heads_; }
  // The columns of X that the heads read, from the first to the last.
  Range read_columns(Split split) const {
    return split == Split::slice ? Range{heads_.first * d_k_, heads_.last * d_k_} : model();
  }
  void only_heads(Range heads) { heads_ = heads; }
  void only_head(Index head) { only_heads(just(head)); }

 private:
  struct Blocks {
    std::array<Block, 2> block;
    int count = 0;
  };
  std::array<Blocks, static_cast<std::size_t>(Quantity::Y) + 1> blocks_;
  Index n_, d_model_, d_k_;
  Range heads_;
};

// Adds what a block of a quantity is computed from, one stage back. Queries come one at a time: a number is of one
// query.
class Backward {
 public:
  Backward(const LayerInput<float>& input, Reach& reach) : input_(input), reach_(reach) {}

  void from(Quantity quantity) {
    reach_.each(quantity, [&](const Block& block) { step(quantity, block); });
  }

 private:
  void step(Quantity quantity, const Block& b) {
    switch (quantity) {
      case Quantity::Y:
        reach_.add(Quantity::contribution, b);
        reach_.add(Quantity::b_O, {just(0), b.cols});
        break;
      case Quantity::contribution:
        reach_.add(Quantity::output, {b.rows, reach_.head_dims()});
        reach_.add(Quantity::W_O, {reach_.head_dims(), b.cols});
        break;
      case Quantity::value_weighted:
        if (hidden(b)) break;
        reach_.add(Quantity::attention, b);
        reach_.add(Quantity::V, {b.cols, reach_.head_dims()});
        reach_.add(Quantity::W_O, {reach_.head_dims(), reach_.model()});
        break;
      case Quantity::mean_attention:
        reach_.add(Quantity::attention, b);
        break;
      case Quantity::output: {
        const Range keys = keys_of(input_, b.rows.first);
        reach_.add(Quantity::attention, {b.rows, keys});
        reach_.add(Quantity::V, {keys, b.cols});
        break;
      }
      case Quantity::attention:
        if (hidden(b) || painted(b.rows.first, &PaintedHead<float>::attention)) break;
        reach_.add(Quantity::scores, {b.rows, keys_of(input_, b.rows.first)});
        break;
      case Quantity::scores:
        if (hidden(b)) break;
        reach_.add(Quantity::Q, {b.rows, reach_.head_dims()});
        reach_.add(Quantity::K, {b.cols, reach_.head_dims()});
        break;
      case Quantity::Q:
        project(b, Quantity::W_Q, Quantity::b_Q);
        break;
      case Quantity::K:
        project(b, Quantity::W_K, Quantity::b_K);
        break;
      case Quantity::V:
        project({projected(b.rows), b.cols}, Quantity::W_V, Quantity::b_V);
        break;
      case Quantity::query_key:
        reach_.add(Quantity::W_Q, {b.rows, reach_.head_dims()});
        reach_.add(Quantity::W_K, {b.cols, reach_.head_dims()});
        break;
      case Quantity::value_output:
        reach_.add(Quantity::W_V, {b.rows, reach_.head_dims()});
        reach_.add(Quantity::W_O, {reach_.head_dims(), b.cols});
        break;
      case Quantity::X:
        reach_.add(Quantity::embedding, b);
        reach_.add(Quantity::positions, b);
        break;
      default:
        break;
    }
  }

  void project(const Block& b, Quantity weight, Quantity bias) {
    if (b.empty()) return;
    const Range read = reach_.read_columns(input_.split);
    reach_.add(Quantity::X, {b.rows, counted(weight, read, b.cols)});
    reach_.add(weight, {read, b.cols});
    reach_.add(bias, {just(0), b.cols});
  }

  // Of the columns of X those with a weight that is not 0, from the first to the last: identity weights read one.
  Range counted(Quantity weight, Range read, Range cols) const {
    const AttentionWeights<float>& w = input_.weights;
    const Array<float>& W = weight == Quantity::W_Q ? w.W_Q : weight == Quantity::W_K ? w.W_K : w.W_V;
    const auto all_zero = [&](Index row) {
      for (Index h = reach_.heads().first; h < reach_.heads().last; ++h) {
        const Index first = weight == Quantity::W_Q ? h * input_.d_k() : kv_column(w, input_.heads, h);
        if (!W->row(row).segment(first + cols.first, cols.last - cols.first).isZero(0)) return false;
      }
      return true;
    };
    while (!read.empty() && all_zero(read.first)) ++read.first;
    while (!read.empty() && all_zero(read.last - 1)) --read.last;
    return read;
  }

  // Whether every reached head has the row painted: what is painted is computed from nothing.
  bool painted(Index row, std::vector<PaintedRow<float>> PaintedHead<float>::*rows) const {
    for (Index h = reach_.heads().first; h < reach_.heads().last; ++h) {
      const PaintedHead<float>* head = painted_head(input_.painted, h);
      if (!head || !painted_row(head->*rows, row)) return false;
    }
    return true;
  }
  // Of rows of V those that are not painted, from the first to the last.
  Range projected(Range rows) const {
    while (!rows.empty() && painted(rows.first, &PaintedHead<float>::values)) ++rows.first;
    while (!rows.empty() && painted(rows.last - 1, &PaintedHead<float>::values)) --rows.last;
    return rows;
  }

  // A masked cell is -inf or 0, whatever the numbers before it.
  bool hidden(const Block& b) const {
    return b.cols.last - b.cols.first == 1 && !input_.mask.allows(b.rows.first, b.cols.first);
  }

  const LayerInput<float>& input_;
  Reach& reach_;
};

// cell is of a head's block, or of a quantity without heads.
Reach inputs_of(const LayerInput<float>& input, const Cell& cell) {
  Reach reach(input);
  if (cell.site.head != kNoHead) reach.only_head(cell.site.head);
  reach.add(cell.site.quantity, {just(cell.row), just(cell.col)});
  Backward back(input, reach);
  for (const Quantity stage :
       {Quantity::query_key, Quantity::value_output, Quantity::Y, Quantity::contribution, Quantity::value_weighted,
        Quantity::mean_attention, Quantity::output, Quantity::attention, Quantity::scores, Quantity::Q, Quantity::K,
        Quantity::V, Quantity::X})
    back.from(stage);
  return reach;
}

// What follows from changed blocks of Q, K or V (and so on): everything downstream, by whole rows.
void add_downstream(Reach& reach, const Range& rows) {
  for (const Quantity pattern : {Quantity::attention, Quantity::value_weighted, Quantity::mean_attention})
    reach.add(pattern, {rows, reach.tokens()});
  reach.add(Quantity::output, {rows, reach.head_dims()});
  for (const Quantity wide : {Quantity::contribution, Quantity::Y}) reach.add(wide, {rows, reach.model()});
}

void add_affected_by_X(const LayerInput<float>& input, Reach& reach, Index token) {
  for (const Quantity projection : {Quantity::Q, Quantity::K, Quantity::V})
    reach.add(projection, {just(token), reach.head_dims()});
  const Range queries = queries_of(input, token);
  reach.add(Quantity::scores, {just(token), keys_of(input, token)});
  reach.add(Quantity::scores, {queries, just(token)});
  add_downstream(reach, queries);
  if (!queries.contains(token)) add_downstream(reach, just(token));
}

// As inputs_of, for an editable cell.
Reach affected_by(const LayerInput<float>& input, const Cell& cell) {
  Reach reach(input);
  if (cell.site.head != kNoHead) {
    const HeadRange heads = shared_by(input, cell.site);
    reach.only_heads({heads.first, heads.last});
  }
  const Range col = just(cell.col);
  if (is_weight(cell.site.quantity) && cell.site.quantity != Quantity::W_O && cell.site.head != kNoHead &&
      !reads(input.split, input.d_k(), cell.row, cell.site.head * input.d_k() + cell.col))
    return reach;  // a weight that does not count
  switch (cell.site.quantity) {
    case Quantity::X:
      if (input.split == Split::slice) reach.only_head(cell.col / input.d_k());
      add_affected_by_X(input, reach, cell.row);
      break;
    case Quantity::W_Q:
    case Quantity::b_Q:
    case Quantity::W_K:
    case Quantity::b_K: {
      const bool query = cell.site.quantity == Quantity::W_Q || cell.site.quantity == Quantity::b_Q;
      if (cell.site.quantity == Quantity::W_Q) reach.add(Quantity::query_key, {just(cell.row), reach.model()});
      if (cell.site.quantity == Quantity::W_K) reach.add(Quantity::query_key, {reach.model(), just(cell.row)});
      reach.add(query ? Quantity::Q : Quantity::K, {reach.tokens(), col});
      reach.add(Quantity::scores, {reach.tokens(), reach.tokens()});
      add_downstream(reach, reach.tokens());
      break;
    }
    case Quantity::W_V:
    case Quantity::b_V:
      if (cell.site.quantity == Quantity::W_V) reach.add(Quantity::value_output, {just(cell.row), reach.model()});
      for (const Quantity narrow : {Quantity::V, Quantity::output}) reach.add(narrow, {reach.tokens(), col});
      reach.add(Quantity::value_weighted, {reach.tokens(), reach.tokens()});
      for (const Quantity wide : {Quantity::contribution, Quantity::Y})
        reach.add(wide, {reach.tokens(), reach.model()});
      break;
    case Quantity::W_O:
      reach.add(Quantity::value_output, {reach.model(), col});
      reach.add(Quantity::value_weighted, {reach.tokens(), reach.tokens()});
      for (const Quantity wide : {Quantity::contribution, Quantity::Y}) reach.add(wide, {reach.tokens(), col});
      break;
    case Quantity::b_O:
      reach.add(Quantity::Y, {reach.tokens(), col});
      break;
    default:
      break;
  }
  return reach;
}

// The place in `shown` of a block in the coordinates of each of the reached heads; empty when shown is of another head,
// which shares nothing with them.
Block placed(const LayerInput<float>& input, Block block, const Range& heads, const Site& shown) {
  if (shown.head != kNoHead) {
    const HeadRange same = shared_by(input, shown);
    return same.first < heads.last && heads.first < same.last ? block : Block{};
  }
  if (!may_have_head(shown.quantity) && shown.quantity != Quantity::concat) return block;
  Range& along = shown.quantity == Quantity::W_O ? block.rows : block.cols;
  const Index group = shared_by(input, {shown.quantity, shown.layer, 0}).count();
  along = {heads.first / group * input.d_k() + along.first, (heads.last - 1) / group * input.d_k() + along.last};
  return block;
}

void append(std::vector<Region>& regions, const LayerInput<float>& input, const Reach& reach, const Site& shown,
            Role role) {
  const Quantity quantity = shown.quantity == Quantity::concat ? Quantity::output : shown.quantity;
  const auto add = [&](const Block& block, const Range& heads) {
    const Block b = placed(input, block, heads, shown);
    if (!b.empty()) regions.push_back({b.rows.first, b.rows.last, b.cols.first, b.cols.last, role});
  };
  reach.each(quantity, [&](const Block& block) {
    // Part of the strip of each of several heads: a region for each.
    if (shown.quantity == Quantity::concat && block.cols.last - block.cols.first < input.d_k())
      for (Index h = reach.heads().first; h < reach.heads().last; ++h) add(block, just(h));
    else
      add(block, reach.heads());
  });
}

}  // namespace

std::vector<Region> linked(const Trace& trace, const Cell& cell, const Site& shown) {
  std::vector<Region> regions;
  if (!exists(trace, shown) || !exists(trace, cell.site) || cell.site.layer != shown.layer) return regions;
  const LayerInput<float>& input = trace.layer(cell.site.layer).input;
  const Cell own = in_its_head(trace, cell);
  // A number stands in its head's block and in the combined matrix; both have the same quantity but for C and O.
  Reach self(input);
  if (own.site.head != kNoHead) self.only_head(own.site.head);
  self.add(own.site.quantity, {just(own.row), just(own.col)});
  append(regions, input, self, shown, Role::self);
  if (!regions.empty()) return regions;
  if (is_editable(cell.site)) append(regions, input, affected_by(input, own), shown, Role::affected);
  append(regions, input, inputs_of(input, own), shown, Role::input);
  return regions;
}

}  // namespace hydra

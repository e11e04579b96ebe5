#include "core/explain/links.h"

#include <algorithm>

#include "core/explain/reached_blocks.h"

namespace hydra {

namespace {

using Role = Region::Role;

// What a block is computed from, one stage back, with what the numbers and the hand leave out.
class Backward {
 public:
  Backward(const LayerInput<float>& input, Reach& reach) : input_(input), reach_(reach) {}

  void from(const ProgramNode& node) {
    heads_ = reach_.heads(node.result);
    for (Block block : reach_.of(node.result)) {  // no node reads what it makes
      if (is_pair(node) && hidden(block)) continue;
      block.rows = computed(block.rows, node.result);
      if (block.empty()) continue;
      for (std::size_t k = 0; k < node.reads().size(); ++k) {
        const Quantity operand = node.reads()[k];
        if (reach_.rotated(node, block, operand, heads_)) continue;
        Block read = reach_.read(node, k, block);
        if (is_projection(node)) read = of_slice(read, k);
        if (is_projection(node) && k == 0) read.cols = counted(node.reads()[1], read.cols, block.cols);
        reach_.add(operand, read, reach_.heads_beside(node, k, heads_));
      }
    }
  }

 private:
  static bool is_pair(const ProgramNode& node) {  // of a query and a key that the mask may hide from it
    const QuantityRow& row = entry_of(node.result);
    return row.rows == Axis::token && row.cols == Axis::token && has_head(node.result);
  }

  // Of X its columns, of W its rows: those that slices read.
  Block of_slice(Block read, std::size_t operand) const {
    if (input_.split == Split::projection || operand == 2) return read;
    (operand == 0 ? read.cols : read.rows) = {heads_.first * input_.d_k(), heads_.last * input_.d_k()};
    return read;
  }

  // Of the columns of X those with a weight that is not 0, from the first to the last: identity weights read one.
  Range counted(Quantity weight, Range read, const Range& cols) const {
    const Array<float>& W = *field_of(input_.weights, weight);
    const auto all_zero = [&](Index row) {
      for (Index h = heads_.first; h < heads_.last; ++h) {
        const Index first = entry_of(weight).of_group ? kv_column(input_.weights, input_.heads, h) : h * input_.d_k();
        if (!W->row(row).segment(first + cols.first, cols.count()).isZero(0)) return false;
      }
      return true;
    };
    while (!read.empty() && all_zero(read.first)) ++read.first;
    while (!read.empty() && all_zero(read.last - 1)) --read.last;
    return read;
  }

  // Of rows those that are not painted in every reached head, from the first to the last: what is painted is computed
  // from nothing.
  Range computed(Range rows, Quantity quantity) const {
    if (input_.painted.empty()) return rows;
    const auto all_painted = [&](Index row) {
      for (Index h = heads_.first; h < heads_.last; ++h)
        if (!is_painted(input_.painted, quantity, h, row)) return false;
      return true;
    };
    while (!rows.empty() && all_painted(rows.first)) ++rows.first;
    while (!rows.empty() && all_painted(rows.last - 1)) --rows.last;
    return rows;
  }

  // A masked cell is -inf or 0, whatever the numbers before it.
  bool hidden(const Block& b) const {
    if (b.rows.count() != 1 || b.cols.count() != 1) return false;
    for (Index h = heads_.first; h < heads_.last; ++h)
      if (input_.mask_of(h).allows(b.rows.first, b.cols.first)) return false;
    return true;
  }

  const LayerInput<float>& input_;
  Reach& reach_;
  Range heads_;  // of what the node makes
};

Range heads_of(const LayerInput<float>& input, const Cell& cell) {
  if (cell.site.head == kNoHead) return {0, input.heads};
  return just(cell.site.head);
}

void walk_back(const LayerInput<float>& input, Reach& reach) {
  Backward back(input, reach);
  const std::vector<ProgramNode>& nodes = program_of(input.settings).nodes;
  for (std::size_t k = nodes.size(); k-- > 0;) back.from(nodes[k]);
}

void walk_on(std::span<const ProgramNode> nodes, Reach& reach) {
  for (const ProgramNode& node : nodes)
    for (std::size_t k = 0; k < node.reads().size(); ++k)
      for (const Block& block : reach.of(node.reads()[k])) {
        const Range heads = reach.heads_beside(node, k, reach.heads(node.reads()[k]));
        if (!reach.rotated(node, block, node.result, heads))
          reach.add(node.result, reach.reached(node, k, block, heads), heads);
      }
}

// --- what is of no layer: words in, words out

// The model's own program makes X, where that is more than words and positions.
bool makes_X(const Trace& trace) { return trace.model.program().makes(Quantity::X); }
// Stands before the layers: a parameter there, or what X is made of.
bool is_weight_in(Quantity quantity) {
  return is_table(quantity) || quantity == Quantity::gain_E || quantity == Quantity::shift_E;
}
bool is_made_in(Quantity quantity) {
  using enum Quantity;
  return quantity == embedding || quantity == positions || quantity == types || quantity == summed;
}
bool is_read_out(const Site& site) {
  return is_of_model(site.quantity) && !is_weight_in(site.quantity) && !is_made_in(site.quantity);
}
// Where a site stands among the layers: parameters before all of them, what is read out after.
int place_of(const Trace& trace, const Site& site) {
  if (is_weight_in(site.quantity)) return -1;
  return is_read_out(site) ? static_cast<int>(trace.layers.size()) : site.layer;
}

// From X, or what it is made of, down to that and to parameters; of the rows of tables those of each token alone, and
// of each word that it is made of.
void walk_back_in(const Trace& trace, Reach& in) {
  const std::span<const ProgramNode> nodes = trace.model.program().in;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const ProgramNode& node = nodes[k];
    for (const Block& block : Reach::Blocks(in.of(node.result))) {
      for (Index i = block.rows.first; node.operation == Operation::lookup && i < block.rows.last; ++i)
        in.at(node, node.reads()[0]).for_each_row_of(i, [&](Index row) {
          in.add(node.reads()[0], {just(row), block.cols});
        });
      for (std::size_t o = 0; node.operation != Operation::lookup && o < node.reads().size(); ++o)
        in.add(node.reads()[o], reads(in.at(node, node.reads()[o]), node.operation, o, block));
    }
  }
}
void walk_on_in(const Trace& trace, const Cell& parameter, Reach& layer) {
  const std::span<const ProgramNode> nodes = trace.model.program().in;
  if (!is_table(parameter.site.quantity))
    layer.add(parameter.site.quantity, {just(parameter.row), just(parameter.col)});
  for (const ProgramNode& node : nodes) {
    if (node.operation != Operation::lookup || node.reads()[0] != parameter.site.quantity) continue;
    const Reaching at = layer.at(node, parameter.site.quantity);
    for (Index i = 0; i < at.tokens; ++i)
      at.for_each_row_of(i, [&](Index row) {
        if (row == parameter.row) layer.add(node.result, {just(i), just(parameter.col)});
      });
  }
  for (const ProgramNode& node : nodes)
    for (std::size_t k = 0; node.operation != Operation::lookup && k < node.reads().size(); ++k)
      for (const Block& block : Reach::Blocks(layer.of(node.reads()[k])))
        layer.add(node.result, reaches(layer.at(node, node.reads()[k]), node.operation, k, block));
}
void walk_back_out(const Trace& trace, Reach& out) {
  const std::span<const ProgramNode> nodes = trace.model.program().out;
  for (std::size_t k = nodes.size(); k-- > 0;)
    for (const Block& block : out.of(nodes[k].result))
      for (std::size_t o = 0; o < nodes[k].reads().size(); ++o)
        out.add(nodes[k].reads()[o], reads(out.at(nodes[k], nodes[k].reads()[o]), nodes[k].operation, o, block));
}

// What the cell, of a head's block or of a quantity without heads, is computed from where `shown` stands: there or
// before it.
Reach inputs_of(const Trace& trace, const Cell& cell, const Site& shown) {
  const int last = static_cast<int>(trace.layers.size()) - 1;
  const Block itself{just(cell.row), just(cell.col)};
  Reach of_model(trace, shown.layer);
  int from = std::clamp(place_of(trace, cell.site), 0, last);
  Reach reach(trace, from);
  if (is_read_out(cell.site)) {
    of_model.add(cell.site.quantity, itself);
    walk_back_out(trace, of_model);
    if (is_read_out(shown)) return of_model;
    for (const Block& block : of_model.of(Quantity::stream)) reach.add(leaves_of(trace, last).quantity, block);
  } else {
    reach.add(cell.site.quantity, itself, heads_of(trace.layer(from).input, cell));
  }
  if (!is_made_in(cell.site.quantity)) walk_back(trace.layer(from).input, reach);
  for (; from > std::max(0, place_of(trace, shown)); --from) {  // a layer reads what the one before it gives
    Reach lower(trace, from - 1);
    for (const Block& block : reach.of(Quantity::X)) lower.add(leaves_of(trace, from - 1).quantity, block);
    walk_back(trace.layer(from - 1).input, lower);
    reach = std::move(lower);
  }
  if (!is_weight_in(shown.quantity) && !(is_made_in(shown.quantity) && makes_X(trace))) return reach;
  const auto take = [&](Quantity quantity) {  // beside the rows of a table that words are read out by
    for (const Block& block : reach.of(quantity)) of_model.add(quantity, block);
  };
  take(is_made_in(cell.site.quantity) ? cell.site.quantity : Quantity::X);
  if (!is_made_in(cell.site.quantity) && !makes_X(trace)) take(Quantity::embedding), take(Quantity::positions);
  walk_back_in(trace, of_model);
  return of_model;
}

// The heads that an edit of the cell reaches.
Range affected_heads(const LayerInput<float>& input, const Cell& cell) {
  const bool gates = input.settings.output_gate != OutputGate::none;  // read whatever slices leave out
  if (cell.site.quantity == Quantity::X && input.split == Split::slice && !gates) return just(cell.col / input.d_k());
  if (cell.site.quantity == Quantity::sink || cell.site.quantity == Quantity::w_G) return just(cell.col);
  if (entry_of(cell.site.quantity).rows == Axis::heads) return just(cell.row);
  if (cell.site.head == kNoHead) return {0, input.heads};
  const HeadRange heads = shared_by(input, cell.site);
  return {heads.first, heads.last};
}

// What an edit of the cell changes where `shown` stands: there or after it.
Reach affected_by(const Trace& trace, const Cell& cell, const Site& shown) {
  const LayerInput<float>& input = trace.layer(cell.site.layer).input;
  const int last = static_cast<int>(trace.layers.size()) - 1;
  const Block itself{just(cell.row), just(cell.col)};
  Reach reach(trace, cell.site.layer), out(trace, shown.layer);
  if (is_of_model(cell.site.quantity)) out.add(cell.site.quantity, itself);
  if (is_projection_weight(cell.site.quantity) && cell.site.head != kNoHead &&
      !reads(input.split, input.d_k(), cell.row, cell.site.head * input.d_k() + cell.col))
    return reach;  // a weight that does not count
  if (is_weight_in(cell.site.quantity))
    walk_on_in(trace, cell, reach);
  else if (!is_read_out(cell.site))
    reach.add(cell.site.quantity, itself, affected_heads(input, cell));
  walk_on(program_of(input.settings).nodes, reach);
  for (int k = cell.site.layer + 1; k <= std::min(last, place_of(trace, shown)); ++k) {
    Reach upper(trace, k);
    for (const Block& block : reach.of(leaves_of(trace, k - 1).quantity)) upper.add(Quantity::X, block);
    walk_on(layer_program(trace, k).nodes, upper);
    reach = std::move(upper);
  }
  if (!is_read_out(shown)) return reach;
  for (const Block& block : reach.of(leaves_of(trace, last).quantity)) out.add(Quantity::stream, block);
  walk_on(trace.model.program().out, out);
  return out;
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
  const KeyGroups groups = entry_of(shown.quantity).of_group ? input.key_groups() : KeyGroups{input.heads};
  along = {groups.set_of(heads.first) * input.d_k() + along.first,
           groups.set_of(heads.last - 1) * input.d_k() + along.last};
  return block;
}

// Inputs are found from the last stage to the first, so the last found, the query's side, is said first.
void append(std::vector<Region>& regions, const LayerInput<float>& input, const Reach& reach, const Site& shown,
            Role role) {
  const Quantity quantity = shown.quantity == Quantity::concat
                                ? program_of(input.settings).node_of(Quantity::concat).reads()[0]
                                : shown.quantity;
  const auto add = [&](const Block& block, const Range& of_heads) {
    const Block b = placed(input, block, of_heads, shown);
    if (!b.empty()) regions.push_back({b.rows.first, b.rows.last, b.cols.first, b.cols.last, role});
  };
  const Range heads = reach.heads(quantity);
  Reach::Blocks blocks = reach.of(quantity);
  if (role == Role::input) std::reverse(blocks.begin(), blocks.end());
  for (const Block& block : blocks) {
    // Part of the strip of each of several heads: a region for each.
    if (shown.quantity == Quantity::concat && block.cols.count() < input.d_k())
      for (Index h = heads.first; h < heads.last; ++h) add(block, just(h));
    else
      add(block, heads);
  }
}

// A term of the sum that the cell is: what else it reads of that matrix, by way of the heads, may be all of it.
void put_term_first(std::vector<Region>& regions, const Trace& trace, const Cell& cell, const Site& shown) {
  if (cell.site.layer != shown.layer || is_of_model(cell.site.quantity) || is_parameter(cell.site.quantity)) return;
  const NodeList& program = program_at(trace, cell.site);
  if (!program.makes(cell.site.quantity)) return;
  const ProgramNode& node = program.node_of(cell.site.quantity);
  const std::span<const Quantity> terms = node.reads();
  const Region term{cell.row, cell.row + 1, cell.col, cell.col + 1, Role::input};
  if (node.operation == Operation::add && !has_head(terms[0]) && std::ranges::count(terms, shown.quantity) > 0 &&
      std::ranges::count(regions, term) == 0)
    regions.insert(regions.begin(), term);
}

}  // namespace

std::vector<Region> linked(const Trace& trace, const Cell& cell, const Site& shown) {
  std::vector<Region> regions;
  if (!exists(trace, shown) || !exists(trace, cell.site)) return regions;
  const LayerInput<float>& input = trace.layer(shown.layer).input;
  const Cell own = in_its_head(trace, cell);
  if (cell.site.layer == shown.layer) {
    // A number stands in its head's block and in the combined matrix; both have the same quantity but for C and O.
    Reach self(trace, shown.layer);
    self.add(own.site.quantity, {just(own.row), just(own.col)}, heads_of(input, own));
    append(regions, input, self, shown, Role::self);
    if (!regions.empty()) return regions;
  }
  const int place = place_of(trace, cell.site), at = place_of(trace, shown);
  if (is_editable(cell.site) && place <= at)
    append(regions, input, affected_by(trace, own, shown), shown, Role::affected);
  if (at > place) return regions;
  append(regions, input, inputs_of(trace, own, shown), shown, Role::input);
  put_term_first(regions, trace, own, shown);
  return regions;
}

}  // namespace hydra

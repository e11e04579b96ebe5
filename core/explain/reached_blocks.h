// Of links.cpp: what one cell reads or reaches, as it is found.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "core/explain/quantity.h"
#include "core/ops/reach.h"
#include "core/ops/rotate.h"

namespace hydra {

// Blocks of every quantity of a layer, or of the model, that one cell reads or reaches, each for a range of heads that
// share them (coordinates of head-bound quantities and weights are those of each head's own block). At most four blocks
// each, of tables and of what is looked up in them many; more become one.
class Reach {
 public:
  Reach(const Trace& trace, int layer) : input_(&trace.layer(layer).input), model_(&trace.model) {}

  void add(Quantity quantity, const Block& block) {
    add(quantity, block, {0, input_->heads});
  }  // of all heads, or none

  void add(Quantity quantity, Block block, const Range& heads) {
    if (block.empty()) return;
    Range& of_all = heads_[static_cast<std::size_t>(quantity)];
    of_all = of_all.empty() ? heads : hull(of_all, heads);
    Blocks& blocks = blocks_[static_cast<std::size_t>(quantity)];
    for (const Block& known : blocks)
      if (known.contains(block)) return;
    std::erase_if(blocks, [&](const Block& known) { return block.contains(known); });
    if (blocks.size() == most_of(quantity)) {
      for (const Block& known : blocks) block = hull(block, known);
      blocks.clear();
    }
    blocks.push_back(block);
  }

  using Blocks = std::vector<Block>;
  const Blocks& of(Quantity quantity) const { return blocks_[static_cast<std::size_t>(quantity)]; }
  const Range& heads(Quantity quantity) const { return heads_[static_cast<std::size_t>(quantity)]; }
  // On the other side of a node: all, where heads hear one another.
  Range heads_beside(const ProgramNode& node, std::size_t operand, const Range& heads) const {
    return hears_all_heads(node, input_->settings) && operand == 0 ? Range{0, input_->heads} : heads;
  }

  // All of a quantity, of one head where it has heads.
  Block whole(Quantity quantity) const {
    const QuantityRow& row = entry_of(quantity);
    const auto range = [&](Axis axis) -> Range {
      switch (axis) {
        case Axis::token:
          return {0, input_->n()};
        case Axis::model_dim:
          return {0, input_->d_model()};
        case Axis::head_dim:
          return {0, input_->d_k()};
        case Axis::half_dim:
          return {0, input_->d_k() / 2};
        case Axis::hidden_dim:
          return {0, input_->settings.feed_forward_width};
        case Axis::heads:
          return {0, input_->heads};
        case Axis::offset:
          return {0, offset_count(input_->settings)};
        case Axis::word:
          return {0, model_->words.size()};
        case Axis::place:
          return {0, model_->weights.P.rows()};
        case Axis::type:
          return {0, model_->weights.T.rows()};
        case Axis::next_word:
          return {0, model_->next_words.size()};
        case Axis::one:
          return {0, 1};
      }
      return {0, 1};
    };
    return {range(row.rows), range(row.cols)};
  }
  // What a block of the result reads of an operand, and what one of an operand reaches: by the masks of these heads.
  Block read(const ProgramNode& node, std::size_t operand, const Block& block) const {
    return under_masks(heads(node.result), [&](const Mask& mask) {
      return reads(at(node, node.reads()[operand], mask), node.operation, operand, block);
    });
  }
  Block reached(const ProgramNode& node, std::size_t operand, const Block& block, const Range& of_heads) const {
    return under_masks(of_heads, [&](const Mask& mask) {
      return reaches(at(node, node.reads()[operand], mask), node.operation, operand, block);
    });
  }
  Reaching at(const ProgramNode& node, Quantity operand) const { return at(node, operand, input_->mask); }
  Reaching at(const ProgramNode& node, Quantity operand, const Mask& mask) const {
    Reaching at{mask, input_->n(), whole(operand), whole(node.result), input_->settings, heads(node.result)};
    if (operand == Quantity::E) at.rows = &model_->rows;
    if (operand == Quantity::T) at.rows = &model_->type_rows;
    at.first_place = model_->first_place;
    at.over_words = node.result == Quantity::probabilities;
    at.half = node.half;
    at.column_of_head = has_column_of_head(node, operand);
    at.parts = at.over_words ? model_->next_words.parts() : norm_parts_of(node, input_->settings);
    return at;
  }

  // Of one column that is rotated with another: what they are on the other side, each on its own.
  bool rotated(const ProgramNode& node, const Block& block, Quantity other_side, const Range& of_heads) {
    if (node.operation != Operation::rotate || block.cols.count() != 1) return false;
    const Index col = block.cols.first, d_k = input_->d_k();
    const Index partner = rotate::partner_of(rotate::rotation_of(input_->settings, d_k), col);
    for (const Index each : {std::min(col, partner), std::max(col, partner)})
      add(other_side, {block.rows, just(each)}, of_heads);
    return true;
  }

 private:
  static std::size_t most_of(Quantity quantity) {
    using enum Quantity;
    const bool looked_up = is_table(quantity) || quantity == embedding || quantity == positions || quantity == types ||
                           quantity == summed || quantity == X;
    return looked_up ? 64 : 4;
  }
  // The hull, where heads have masks of their own.
  template <class Find>
  Block under_masks(const Range& of_heads, const Find& find) const {
    if (input_->own.empty()) return find(input_->mask);
    Block all;
    for (Index h = of_heads.first; h < of_heads.last; ++h)
      if (const Block block = find(input_->mask_of(h)); !block.empty()) all = all.empty() ? block : hull(all, block);
    return all;
  }
  static Range hull(const Range& a, const Range& b) { return {std::min(a.first, b.first), std::max(a.last, b.last)}; }
  static Block hull(const Block& a, const Block& b) { return {hull(a.rows, b.rows), hull(a.cols, b.cols)}; }
  const LayerInput<float>* input_;
  const ModelTrace<float>* model_;
  std::array<Blocks, kQuantities> blocks_;
  std::array<Range, kQuantities> heads_{};
};

}  // namespace hydra

#include "core/attention/block.h"

#include <algorithm>
#include <cassert>

#include "core/attention/stages.h"
#include "core/linalg/arena.h"

namespace hydra {

namespace {

// Some nodes of a program, carried out.
template <class S>
class Stages {
 public:
  Stages(const BlockMaking<S>& making, std::span<const ProgramNode> nodes, const Array<S>& heads, BlockTrace<S>& block)
      : making_(making), nodes_(nodes), heads_(heads), block_(block) {}

  Stamp stamp_of(const ProgramNode& node) const {
    Key key("stage");
    key << node.operation;
    if (node.operation == Operation::norm) key << making_.settings.norm_kind << making_.settings.norm_epsilon;
    if (node.operation == Operation::activate) key << making_.settings.activation;
    for (const Quantity operand : node.reads()) key << operand_of(operand).stamp();
    return key.stamp();
  }

  // The stages' stamps, without values.
  void plan() {
    for (const ProgramNode& node : nodes_) block_.stages.emplace_back(node.result, Array<S>::dropped(stamp_of(node)));
  }
  // What the trace before has of a stage, where it has the stamp; else nothing.
  Array<S> kept(const Array<S>& stage, Quantity quantity) const {
    if (!making_.previous) return {};
    const Array<S>& old = making_.previous->of(quantity);
    return old && old == stage ? old : Array<S>();
  }
  Array<S>& slot(Quantity quantity) {
    return std::ranges::find(block_.stages, quantity, &std::pair<Quantity, Array<S>>::first)->second;
  }

  // Of each stage what the trace before has, or its values made.
  void compute() {
    for (const ProgramNode& node : nodes_) {
      Array<S>& stage = slot(node.result);
      const Array<S> old = kept(stage, node.result);
      fresh_.push_back(old ? Fresh<S>() : arena_.make(stage, stage.stamp(), block_.input.rows(), cols_of(node)));
      if (old) stage = old;
    }
    Index work = 0;
    const Index n = block_.input.rows();
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (fresh_[k])
        work += n * (nodes_[k].operation == Operation::linear ? operand_of(nodes_[k].reads()[1]).size() : 1);
    if (work == 0) return;
    ThreadPool* pool = work < kTooLittleToCut ? nullptr : making_.pool;
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (fresh_[k]) make(nodes_[k], fresh_[k], pool);
  }

 private:
  const Array<S>& operand_of(Quantity quantity) const {
    if (quantity == Quantity::X) return block_.input;
    if (quantity == Quantity::Y) return heads_;
    if (const Array<S>* parameter = field_of(making_.weights, quantity)) return *parameter;
    return block_.of(quantity);
  }

  Index cols_of(const ProgramNode& node) const {
    const Array<S>& first = operand_of(node.reads()[0]);
    return node.operation == Operation::linear ? operand_of(node.reads()[1]).cols() : first.cols();
  }

  void make(const ProgramNode& node, const Fresh<S>& out, ThreadPool* pool) const {
    const Index n = block_.input.rows();
    if (node.operation == Operation::linear) {
      const Pieces pieces(n, out.cols());
      parallel_for(pool, pieces.count(), [&](Index k) { multiply(node, pieces[k], out); });
    } else {
      parallel_for(pool, block_count(n), [&](Index k) { make_rows(node, block_of(n, k), out); });
    }
  }

  void multiply(const ProgramNode& node, const Piece& at, const Fresh<S>& out) const {
    static const Array<S> none;
    const std::span<const Quantity> reads = node.reads();
    linear::forward<S>(operand_of(reads[0])->middleRows(at.row, at.rows),
                       Factor<S>(operand_of(reads[1])).columns(at.col, at.cols),
                       linear::part_of(reads.size() > 2 ? operand_of(reads[2]) : none, at.col, at.cols),
                       out.rows(at.row, at.rows).middleCols(at.col, at.cols));
  }

  void make_rows(const ProgramNode& node, RowBlock at, const Fresh<S>& fresh) const {
    static const Mat<S> none;
    const auto rows = [&](std::size_t k) -> MatView<S> {
      if (k >= node.reads().size()) return none;
      return operand_of(node.reads()[k])->middleRows(at.row, at.rows);
    };
    const auto whole = [&](std::size_t k) -> MatView<S> {
      if (k >= node.reads().size() || !operand_of(node.reads()[k])) return none;
      return *operand_of(node.reads()[k]);
    };
    make_block_rows<S>(node, making_.settings, rows, whole, fresh.rows(at.row, at.rows));
  }

  const BlockMaking<S>& making_;
  std::span<const ProgramNode> nodes_;
  const Array<S>& heads_;
  BlockTrace<S>& block_;
  Arena<S> arena_;
  std::vector<Fresh<S>> fresh_;
};

}  // namespace

template <class S>
const Array<S>& BlockTrace<S>::of(Quantity quantity) const {
  static const Array<S> none;
  const auto found = std::ranges::find(stages, quantity, &std::pair<Quantity, Array<S>>::first);
  return found == stages.end() ? none : found->second;
}

template <class S>
Array<S> before_heads(const BlockMaking<S>& making, BlockTrace<S>& block) {
  const LayerProgram& program = program_of(making.settings);
  if (program.read == Quantity::X) return block.input;
  Stages<S> stages(making, program.before, {}, block);
  stages.plan();
  stages.compute();
  return block.of(program.read);
}

template <class S>
Array<S> after_heads(const BlockMaking<S>& making, const Array<S>& heads, BlockTrace<S>& block, bool only_last) {
  const LayerProgram& program = program_of(making.settings);
  if (program.after.empty()) return heads;
  Stages<S> stages(making, program.after, heads, block);
  stages.plan();
  if (only_last)
    if (const Array<S> last = stages.kept(block.of(program.leaves), program.leaves))
      return stages.slot(program.leaves) = last;
  stages.compute();
  return block.of(program.leaves);
}

template <class S>
BlockTrace<S> whole_block(const BlockMaking<S>& making, const Array<S>& heads, const Array<S>& stream) {
  BlockTrace<S> whole;
  whole.input = stream;
  before_heads(making, whole);
  after_heads(making, heads, whole);
  return whole;
}

template <class S>
void keep_ends_only(const LayerSettings& settings, BlockTrace<S>& block) {
  const LayerProgram& program = program_of(settings);
  for (auto& [quantity, stage] : block.stages)
    if (quantity != program.read && quantity != program.leaves) stage = Array<S>::dropped(stage.stamp());
}

#define HYDRA_BLOCK(S)                                                                         \
  template struct BlockTrace<S>;                                                               \
  template Array<S> before_heads(const BlockMaking<S>&, BlockTrace<S>&);                       \
  template Array<S> after_heads(const BlockMaking<S>&, const Array<S>&, BlockTrace<S>&, bool); \
  template BlockTrace<S> whole_block(const BlockMaking<S>&, const Array<S>&, const Array<S>&); \
  template void keep_ends_only(const LayerSettings&, BlockTrace<S>&);
HYDRA_BLOCK(float)
HYDRA_BLOCK(double)
#undef HYDRA_BLOCK

}  // namespace hydra

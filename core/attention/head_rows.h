// A trace in the making, and the stages of a head for a block of rows, made as the program lists them.
#pragma once
#include <algorithm>
#include <vector>

#include "core/attention/stages.h"
#include "core/linalg/arena.h"
#include "core/linalg/fit.h"
#include "core/linalg/largest.h"
#include "core/ops/painted.h"

namespace hydra {

// The stages of one head that must be computed: what is to be filled, nothing where the previous trace's is shared.
// Attention is fresh with the scores, and alone when only its painting changed.
template <class S>
using HeadWork = OfHead<Fresh<S>>;

// A trace in the making. The work is cut into blocks of rows whose size depends on n alone, so every product has the
// same shape, and every number the same bits, whatever is shared and however many threads there are.
template <class S>
struct Making : OfLayer<Fresh<S>> {
  LayerTrace<S> trace;                 // finished stages are read from here
  std::vector<HeadWork<S>> work;       // and fresh ones written through here
  const Passages* passages = nullptr;  // of what is not kept; null: all is
};

// Of a head, each node by its operation: all stages but projections. What the trace does not keep stands in the place
// of what is made of it, or in a buffer, until the block is done.
template <class S>
class HeadRows {
 public:
  HeadRows(const Making<S>& making, Index h, RowBlock at)
      : input_(making.trace.input),
        trace_(making.trace),
        head_(making.trace.heads[static_cast<std::size_t>(h)]),
        work_(making.work[static_cast<std::size_t>(h)]),
        passages_(making.passages),
        buffers_(passages_ ? static_cast<std::size_t>(passages_->buffers) : 0),
        h_(h),
        at_(at) {}

  // Where heads hear one another: all of them, this one, too.
  void hear(const std::vector<HeadRows>& all) { all_ = &all; }

  void make(std::span<const ProgramNode> nodes) {
    for (const ProgramNode& node : nodes)
      if (is_head_stage(node.result)) make(node);
  }
  void make(const ProgramNode& node) {
    const Passage* passing = passage(node.result);
    if (const Fresh<S>& fresh = work_[node.result])
      fill(node, fresh.rows(at_.row, at_.rows));
    else if (passing && is_wanted(*passing))
      fill(node, place(*passing));
    if (node.result == Quantity::scores && passing && work_.attention)
      largest_score_ = largest_finite<S>(in(Quantity::scores));
  }
  // Where scores are fresh and not kept; else 0.
  S largest_score() const { return largest_score_; }

 private:
  const Passage* passage(Quantity stage) const { return passages_ ? passages_->find(stage) : nullptr; }
  // By this head, or by one that may hear it.
  bool is_wanted(const Passage& passing) const {
    const auto by = [&](const HeadRows& head) {
      return std::ranges::any_of(passing.makes, [&](Quantity made) { return bool(head.work_[made]); });
    };
    return by(*this) || (all_ && passing.buffer >= 0 && std::ranges::any_of(*all_, by));
  }
  MatOut<S> place(const Passage& passing) {
    if (passing.buffer < 0) return work_[passing.in].rows(at_.row, at_.rows);
    Mat<S>& rows = buffers_[static_cast<std::size_t>(passing.buffer)];
    fit(rows, at_.rows, input_.along(entry_of(passing.stage).cols));
    return rows;
  }

  // The block's rows of a stage, and of an operand of the node.
  MatView<S> in(Quantity stage) const {
    const Passage* passing = passage(stage);
    if (passing && passing->buffer >= 0) return buffers_[static_cast<std::size_t>(passing->buffer)];
    return head_[passing ? passing->in : stage]->middleRows(at_.row, at_.rows);
  }
  MatView<S> operand(const ProgramNode& node, std::size_t k) const { return in(node.reads()[k]); }
  // The head's columns of a parameter.
  MatView<S> part(const ProgramNode& node, std::size_t k) const {
    const Quantity parameter = node.reads()[k];
    return linear::part_of(*field_of(input_.weights, parameter), input_.first_column(parameter, h_), input_.d_k());
  }

  void fill(const ProgramNode& node, MatOut<S> out) {
    const LayerSettings& settings = input_.settings;
    switch (node.operation) {
      case Operation::norm:
        if (hears_all_heads(node, settings)) {
          norm::forward_of_part<S>(operand(node, 0), roots(node.reads()[0]), part(node, 1), out);
          break;
        }
        norm::forward<S>(operand(node, 0), part(node, 1), Mat<S>(), norm_kind_of(node, settings), settings.norm_epsilon,
                         out, norm_parts_of(node, settings));
        scale::forward<S>(out, static_cast<S>(norm_factor_of(node, settings)), out);
        break;
      case Operation::rotate:
        rotate::forward<S>(operand(node, 0), rotate::rotation_of(settings, out.cols()), input_.place(at_.row), out);
        break;
      case Operation::scores:
        score<S>(input_, *head_[node.reads()[0]], *head_[node.reads()[1]], h_, at_.row, out, node.half);
        break;
      case Operation::softmax:
        attend_with<S>(input_.mask_of(h_), at_.row, operand(node, 0), input_.sink(h_), out);
        break;
      case Operation::drop:
        dropout::forward<S>(operand(node, 0), input_.dropout_rule(h_), input_.place(at_.row), input_.place(0), out);
        break;
      case Operation::talk:
        talk(node, out);
        break;
      case Operation::add:
        out = operand(node, 0);
        for (std::size_t k = 1; k < node.reads().size(); ++k) out += operand(node, k);
        break;
      case Operation::subtract:
        differ::forward<S>(operand(node, 0), operand(node, 1), (*trace_.lambda)(0, 0), out);
        break;
      case Operation::mix:
        mix_by<S>(input_.mask_of(h_), at_.row, operand(node, 0), *head_[node.reads()[1]], out);
        break;
      case Operation::open:
        gate::open<S>(input_.X->middleRows(at_.row, at_.rows), part(node, 1), out);
        break;
      case Operation::multiply:
        gate::forward<S>(operand(node, 0), factor(node), out);
        break;
      case Operation::linear:
        compute_contribution<S>(input_, head_, h_, at_.row, out);
        break;
      default:
        assert(false);  // of no head
    }
    if (const PaintedHead<S>* by_hand = painted_head(input_.painted, h_))
      if (const auto* rows = painted_rows(*by_hand, node.result)) painted::forward<S>(*rows, at_.row, out);
  }

  std::vector<double> roots(Quantity stage) const {
    return roots_of_all(input_, entry_of(stage).of_group ? input_.key_groups() : KeyGroups{input_.heads}, at_,
                        [&](Index h) -> MatView<S> { return *trace_.heads[static_cast<std::size_t>(h)][stage]; });
  }
  void talk(const ProgramNode& node, MatOut<S> out) const {
    const auto part = [&](Index l) { return (*all_)[static_cast<std::size_t>(l)].operand(node, 0); };
    if (is_score(node.result))
      mix_scores_across_heads<S>(input_, h_, at_.row, part, out);
    else
      mix_weights_across_heads<S>(input_, h_, at_.row, part, out);
  }

  // Of each number, or the head's own.
  MatView<S> factor(const ProgramNode& node) const {
    const Quantity by = node.reads()[1];
    return has_column_of_head(node, by) ? MatView<S>(trace_[by]->block(at_.row, h_, at_.rows, 1)) : in(by);
  }

  const LayerInput<S>& input_;
  const LayerTrace<S>& trace_;
  const HeadTrace<S>& head_;
  const HeadWork<S>& work_;
  const Passages* passages_;
  std::vector<Mat<S>> buffers_;
  Index h_;
  RowBlock at_;
  const std::vector<HeadRows>* all_ = nullptr;
  S largest_score_ = 0;
};

// Of all heads where they hear one another (ops/talk.h): of each stage the rows of all before those of the next.
// largest [1 x heads]: the largest scores.
template <class S>
void make_together(const Making<S>& making, std::span<const ProgramNode> nodes, RowBlock block, MatOut<S> largest) {
  std::vector<HeadRows<S>> heads;
  for (Index h = 0; h < making.trace.input.heads; ++h) heads.emplace_back(making, h, block);
  for (HeadRows<S>& head : heads) head.hear(heads);
  for (const ProgramNode& node : nodes)
    for (HeadRows<S>& head : heads)
      if (is_head_stage(node.result)) head.make(node);
  for (std::size_t h = 0; h < heads.size(); ++h) largest(0, static_cast<Index>(h)) = heads[h].largest_score();
}

}  // namespace hydra

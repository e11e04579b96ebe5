// A trace in the making, and the stages of a head for a block of rows, made as the program lists them.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "core/attention/stages.h"
#include "core/linalg/arena.h"
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
  LayerTrace<S> trace;            // finished stages are read from here
  std::vector<HeadWork<S>> work;  // and fresh ones written through here
};

// Of a head, each node by its operation: all stages but projections. What the trace does not keep of scores and
// patterns stands in the place of attention, or next to it, until the block is done.
template <class S>
class HeadRows {
 public:
  HeadRows(const Making<S>& making, Index h, RowBlock at)
      : input_(making.trace.input),
        trace_(making.trace),
        head_(making.trace.heads[static_cast<std::size_t>(h)]),
        work_(making.work[static_cast<std::size_t>(h)]),
        h_(h),
        at_(at) {}

  // Where heads hear one another: all of them, this one, too.
  void hear(const std::vector<HeadRows>& all, bool any_attention) { all_ = &all, any_attention_ = any_attention; }

  void make(std::span<const ProgramNode> nodes) {
    for (const ProgramNode& node : nodes)
      if (is_head_stage(node.result)) make(node);
  }
  void make(const ProgramNode& node) {
    if (const Fresh<S>& fresh = work_[node.result])
      fill(node, fresh.rows(at_.row, at_.rows));
    else if (is_passing(node.result) && (work_.attention || (is_beside(node.result) && any_attention_)))
      fill(node, passing(node.result));
    if (node.result == Quantity::scores && is_passing(node.result) && work_.attention)
      largest_score_ = largest_finite<S>(in(Quantity::scores));
  }
  // Where scores are fresh and not kept; else 0.
  S largest_score() const { return largest_score_; }

 private:
  // Scores and patterns that are not kept.
  bool is_passing(Quantity quantity) const {
    return !input_.keep_all && quantity != Quantity::attention && (is_score(quantity) || is_attention(quantity));
  }
  // Not in the place of attention: what other heads hear of this one, and the second pattern.
  bool is_beside(Quantity quantity) const {
    return quantity == Quantity::own_scores || is_of_second(quantity) || talk_after(input_.settings);
  }
  MatOut<S> passing(Quantity quantity) {
    if (!is_beside(quantity)) return work_.attention.rows(at_.row, at_.rows);
    Mat<S>& rows = second_[quantity == Quantity::own_scores || is_of_second(quantity)];
    if (rows.size() == 0) rows.resize(at_.rows, input_.n());
    return rows;
  }

  // The block's rows of a stage, and of an operand of the node.
  MatView<S> in(Quantity stage) const {
    if (!is_passing(stage)) return head_[stage]->middleRows(at_.row, at_.rows);
    if (!is_beside(stage)) return head_.attention->middleRows(at_.row, at_.rows);
    return second_[stage == Quantity::own_scores || is_of_second(stage)];
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
        norm::forward<S>(operand(node, 0), part(node, 1), Mat<S>(), norm_kind_of(node, settings), settings.norm_epsilon,
                         out, norm_parts_of(node, settings));
        scale::forward<S>(out, static_cast<S>(norm_factor_of(node, settings)), out);
        break;
      case Operation::rotate:
        rotate::forward<S>(operand(node, 0), rotate::rotation_of(settings, out.cols()), at_.row, out);
        break;
      case Operation::scores:
        score<S>(input_, head_, h_, at_.row, out, node.half);
        break;
      case Operation::softmax:
        attend_with<S>(input_.mask, at_.row, operand(node, 0), input_.sink(h_), out);
        break;
      case Operation::talk:
        talk(node, out);
        break;
      case Operation::subtract:
        differ::forward<S>(operand(node, 0), operand(node, 1), (*trace_.lambda)(0, 0), out);
        break;
      case Operation::mix:
        mix_by<S>(input_.mask, at_.row, operand(node, 0), *head_[node.reads()[1]], out);
        break;
      case Operation::open:
        gate::open<S>(input_.X->middleRows(at_.row, at_.rows), part(node, 1), out);
        break;
      case Operation::multiply:
        gate::forward<S>(operand(node, 0), gates(node), out);
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

  void talk(const ProgramNode& node, MatOut<S> out) const {
    const auto part = [&](Index l) { return (*all_)[static_cast<std::size_t>(l)].operand(node, 0); };
    if (is_score(node.result))
      mix_scores_across_heads<S>(input_, h_, at_.row, part, out);
    else
      mix_weights_across_heads<S>(input_, h_, at_.row, part, out);
  }

  // Of each number, or the head's own.
  MatView<S> gates(const ProgramNode& node) const {
    const Quantity gates = node.reads()[1];
    if (is_head_stage(gates)) return in(gates);
    return trace_[gates]->block(at_.row, h_, at_.rows, 1);
  }

  const LayerInput<S>& input_;
  const LayerTrace<S>& trace_;
  const HeadTrace<S>& head_;
  const HeadWork<S>& work_;
  Index h_;
  RowBlock at_;
  const std::vector<HeadRows>* all_ = nullptr;
  bool any_attention_ = false;  // is fresh, of some head that may hear this one
  std::array<Mat<S>, 2> second_;
  S largest_score_ = 0;
};

// Of all heads where they hear one another (ops/talk.h): of each stage the rows of all before those of the next.
// largest [1 x heads]: the largest scores.
template <class S>
void make_together(const Making<S>& making, std::span<const ProgramNode> nodes, RowBlock block, MatOut<S> largest) {
  std::vector<HeadRows<S>> heads;
  for (Index h = 0; h < making.trace.input.heads; ++h) heads.emplace_back(making, h, block);
  const bool any = std::ranges::any_of(making.work, [](const HeadWork<S>& of) { return bool(of.attention); });
  for (HeadRows<S>& head : heads) head.hear(heads, any);
  for (const ProgramNode& node : nodes)
    for (HeadRows<S>& head : heads)
      if (is_head_stage(node.result)) head.make(node);
  for (std::size_t h = 0; h < heads.size(); ++h) largest(0, static_cast<Index>(h)) = heads[h].largest_score();
}

}  // namespace hydra

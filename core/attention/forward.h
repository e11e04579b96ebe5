// Multi-head attention, keeping every stage. Scaled dot-product attention: Vaswani et al. 2017, equation 1; heads:
// section 3.2.2. Incremental: a stage whose inputs are those of the previous trace is shared with it, not recomputed.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/attention/of_head.h"
#include "core/attention/recompute.h"
#include "core/model/cost.h"
#include "core/model/head_rule.h"
#include "core/model/mask.h"
#include "core/model/settings.h"
#include "core/ops/dropout.h"
#include "core/ops/scores.h"
#include "core/weights/painting.h"
#include "core/weights/split.h"
#include "core/weights/weights.h"
#include "core/work/parallel.h"

namespace hydra {

template <class S>
struct LayerInput {
  Array<S> X;  // [n x d_model]
  AttentionWeights<S> weights;
  Index heads = 1;
  Mask mask;  // of heads that have none of their own
  LayerSettings settings;
  std::vector<HeadTerms> own;           // by head; empty: all attend by the mask and the temperature of the layer
  std::vector<PaintedHead<S>> painted;  // rows set by hand: one per head, or empty for none
  Split split = Split::projection;      // how the weights were restricted; forward takes them as they are
  std::vector<S> gates;                 // what each head's output is multiplied by; empty: 1 each
  Index group_size = 1;                 // of heads that share keys and values, a divisor of heads; 1: none do, or as
                                        // the weights say
  Index layer = 0;                      // its number in the stack: by it weights are dropped
  S slice_factor = 1;                   // what scores are multiplied by, besides scale and temperature

  bool keep_all = true;  // false: scores and contributions are not kept but recomputed when asked for

  Index n() const { return X->rows(); }
  Index d_model() const { return X->cols(); }
  Index concat_width() const { return weights.W_Q.cols(); }  // of the heads side by side, h d_k
  Index d_k() const { return concat_width() / heads; }
  KeyGroups key_groups() const { return {heads, group_size, weights.kv_of}; }
  Index kv_heads() const { return key_groups().sets(); }  // sets of keys and values
  Index kv_width() const { return kv_heads() * d_k(); }   // columns of W_K and W_V
  Index kv_head(Index head) const { return key_groups().set_of(head); }
  // Of a parameter that heads have side by side, or of what is made with it: where the head's part begins.
  Index first_column(Quantity of, Index head) const { return (entry_of(of).of_group ? kv_head(head) : head) * d_k(); }
  Index along(Axis axis) const;                                        // of a head's matrices: tokens, or columns
  Index score_width() const { return d_k() / query_parts(settings); }  // numbers of q and k that meet in a score
  // What a head attends by: everything that computes heads, or speaks of them, asks here. Of no head (kNoHead): what
  // the layer has.
  const Mask& mask_of(Index head) const {
    return own.empty() || head < 0 ? mask : own[static_cast<std::size_t>(head)].mask;
  }
  double temperature_of(Index head) const {
    return own.empty() || head < 0 ? settings.temperature : own[static_cast<std::size_t>(head)].temperature;
  }
  bool sees(Index head, Index query, Index key) const;           // of no head: whether any does
  bool masks(Index head) const;                                  // may hide anything; of no head: from all of them
  Index place(Index token) const { return token - mask.first; }  // among the words; of pads before them less than 0
  S score_factor(Index head) const;                              // what q . k is multiplied by
  scores::Rule<S> score_rule(Index head) const;
  std::optional<S> sink(Index head) const;  // its score
  dropout::Rule dropout_rule(Index head) const { return dropout::rule_of(settings, layer, head); }
  S gate(Index head) const { return gates.empty() ? S(1) : gates[static_cast<std::size_t>(head)]; }
};

// What it costs (model/cost.h).
template <class S>
LayerSizes sizes_of(const LayerInput<S>& layer);

// One head. Every matrix is finished and shared; docs/document.md has the formulas. A stage that was not kept still has
// its stamp: scores_of and contribution_of recompute it. What the settings leave out has none. [n x d_k] Q, K, V, what
// queries and keys are made into, and outputs; of heads that share keys and values K is one matrix, and V too, but for
// heads that have rows of it painted. [n x n] scores, -inf where masked, and attention. [n x d_model] contribution.
template <class S>
struct HeadTrace : OfHead<Array<S>> {
  // The largest finite |value| of scores and contribution, where they are not kept.
  S largest_score = 0, largest_contribution = 0;

  HeadEnds ends;

  const Array<S>& leaving() const { return (*this)[ends.leaving]; }
  const Array<S>& softmaxed() const { return (*this)[ends.softmaxed]; }
  const Array<S>& asking() const { return (*this)[ends.asking]; }
  const Array<S>& asked() const { return (*this)[ends.asked]; }
};

template <class S>
struct LayerTrace : OfLayer<Array<S>> {
  LayerInput<S> input;
  std::vector<HeadTrace<S>> heads;
  std::shared_ptr<RecomputedStages<S>> recomputed;         // null where scores and contributions are kept
  std::shared_ptr<RecomputedLayers<S>> recomputed_layers;  // null unless of what is computed the output alone is kept

  bool is_whole() const { return recomputed_layers == nullptr; }
};

// All that is computed of the layer's heads: visit(array); what its settings leave out are null arrays.
template <class Layer, class Visit>
void for_each_stage(Layer& trace, const Visit& visit) {
  for (auto& head : trace.heads)
    for (const Quantity stage : kHeadStages) visit(head[stage]);
  for (const Quantity stage : kLayerStages) visit(trace[stage]);
}

// Sizes must have passed check_sizes; shapes are asserted. Equal to a from-scratch trace to the last bit, whatever
// previous is and however many threads the pool has.
template <class S>
LayerTrace<S> forward(LayerInput<S> input, const LayerTrace<S>* previous = nullptr, ThreadPool* pool = nullptr);

// The stamp that the output of a layer with this input has.
template <class S>
Stamp output_stamp(const LayerInput<S>& input);
// Lets go of all that is computed but the output; the stamps stay. whole_of makes the rest again: to the last bit, with
// again, which layers share, holding the two that were asked for last. From any thread.
template <class S>
void keep_output_only(LayerTrace<S>& trace, std::shared_ptr<RecomputedLayers<S>> again);
template <class S>
std::shared_ptr<const LayerTrace<S>> whole_of(const LayerTrace<S>& trace);

// What follows is of a layer that is whole.
// A head's scores, or what it has alone of scores and attention, and its contribution: kept, or recomputed to the last
// bit, a contribution by row when the row is looked at. A few of each stay at hand; from any thread.
template <class S>
Array<S> pattern_of(const LayerTrace<S>& trace, Quantity stage, Index head);
template <class S>
Array<S> scores_of(const LayerTrace<S>& trace, Index head) {
  return pattern_of(trace, Quantity::scores, head);
}
template <class S>
Array<S> contribution_of(const LayerTrace<S>& trace, Index head);
// The same, but what is recomputed is kept nowhere: for what goes through all heads.
template <class S>
Array<S> pattern_once(const LayerTrace<S>& trace, Quantity stage, Index head);
template <class S>
Array<S> contribution_once(const LayerTrace<S>& trace, Index head);
// [heads x d_model] what each head adds to one token's output.
template <class S>
Mat<S> contributions_to(const LayerTrace<S>& trace, Index token);

// The same with every gate at 1: what the heads give when none is held back. Shares all that no gate touches.
template <class S>
LayerTrace<S> ungated(const LayerTrace<S>& trace, ThreadPool* pool = nullptr);

}  // namespace hydra

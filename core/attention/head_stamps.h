// What the stages of a layer should be, by their stamps: each a key of the operation and of all that it depends on.
// What has another stamp in the trace before is stale.
#pragma once
#include <vector>

#include "core/attention/forward.h"
#include "core/ops/rotate.h"

namespace hydra {

template <class S>
Stamp stamp_of(const std::vector<PaintedRow<S>>& rows) {
  if (rows.empty()) return {};
  Key key("painted");
  for (const PaintedRow<S>& row : rows) key << row.row << row.values.stamp();
  return key.stamp();
}

// What the stages of a head should be.
struct HeadStamps {
  Stamp Q, K, V, normed_Q, normed_K, rotated_Q, rotated_K, own_scores, scores, scores_2, own_attention, attention_2,
      attention, output, normed_output, output_gate, gated_output, contribution;
  Stamp ungated() const { return normed_output ? normed_output : output; }
  Stamp leaving() const { return gated_output ? gated_output : ungated(); }
};

// first, width: of the head's columns.
template <class S>
Stamp projected(const Array<S>& X, const Array<S>& W, const Array<S>& b, Index first, Index width) {
  const Stamp bias = b ? b.stamp_of_columns(first, width) : Stamp();
  return (Key("projected") << X.stamp() << W.stamp_of_columns(first, width) << bias).stamp();
}

template <class S>
Stamp normed(const LayerSettings& settings, const Array<S>& gain, Index first, Index width, Stamp of) {
  return (Key("normed") << of << gain.stamp_of_columns(first, width) << settings.norm_epsilon << query_parts(settings))
      .stamp();
}

inline Stamp rotated(const LayerSettings& settings, Index d_k, Stamp of) {
  const rotate::Rotation by = rotate::rotation_of(settings, d_k);
  return (Key("rotated") << of << by.base << by.width << by.pairs << by.part).stamp();
}

// Of gates, by some columns of their weights.
template <class S>
Stamp opened(const Array<S>& X, const Array<S>& W, Index first, Index width) {
  return (Key("opened") << X.stamp() << W.stamp_of_columns(first, width)).stamp();
}

// The stamp of row h of the mixing matrix P, and of(l) for each head l that it reads.
template <class S, class Of>
Stamp heard(const LayerInput<S>& input, const Array<S>& P, Index h, const Of& of) {
  Key key("heard");
  key << input.n() << P.stamp_of_rows(h, 1);
  for (Index l = 0; l < input.heads; ++l)
    if ((*P)(h, l) != 0) key << l << of(l);
  return key.stamp();
}

// Of queries, keys and values, and the scores of the head alone.
template <class S>
HeadStamps stamps_to_scores(const LayerInput<S>& input, Stamp mask, Index h) {
  const AttentionWeights<S>& w = input.weights;
  const Index d_k = input.d_k(), first = h * d_k, kv_first = input.kv_head(h) * d_k;
  const PaintedHead<S>* painted = painted_head(input.painted, h);
  HeadStamps of;
  of.Q = projected(input.X, w.W_Q, w.b_Q, first, d_k);
  of.K = projected(input.X, w.W_K, w.b_K, kv_first, d_k);
  of.V = projected(input.X, w.W_V, w.b_V, kv_first, d_k);
  if (painted && !painted->values.empty()) of.V = (Key("with painted") << of.V << stamp_of(painted->values)).stamp();
  Stamp query = of.Q, key = of.K;
  if (input.settings.qk_norm) {
    query = of.normed_Q = normed(input.settings, w.gain_Q, first, d_k, query);
    key = of.normed_K = normed(input.settings, w.gain_K, kv_first, d_k, key);
  }
  if (input.settings.rotary) {
    query = of.rotated_Q = rotated(input.settings, d_k, query);
    key = of.rotated_K = rotated(input.settings, d_k, key);
  }
  const auto scores = [&](Half half) {
    return (Key("scores") << query << key << half << mask << input.score_factor() << input.settings.soft_cap
                          << scores::slope_of(input.settings, h, input.heads))
        .stamp();
  };
  (talk_before(input.settings) ? of.own_scores : of.scores) = scores(half_of_scores(input.settings));
  if (input.settings.differential) of.scores_2 = scores(Half::second);
  return of;
}

template <class S>
Stamp softmaxed(const LayerInput<S>& input, Index h, Stamp scores) {
  Key sink("sink");
  sink << input.settings.sink;
  if (input.settings.sink == SinkKind::learned) sink << input.weights.sink.stamp_of_columns(h, 1);
  return (Key("softmax") << scores << sink.stamp()).stamp();
}

// Of what follows from what the head attends with.
template <class S>
void add_stamps_from_attention(const LayerInput<S>& input, Index h, HeadStamps& of) {
  const AttentionWeights<S>& w = input.weights;
  const Index d_k = input.d_k(), first = h * d_k;
  if (const PaintedHead<S>* painted = painted_head(input.painted, h); painted && !painted->attention.empty())
    of.attention = (Key("with painted") << of.attention << stamp_of(painted->attention)).stamp();
  of.output = (Key("mixed") << of.attention << of.V).stamp();
  if (input.settings.differential)
    of.normed_output = (Key("output normed") << of.output << w.gain_O.stamp_of_columns(first, d_k)
                                             << input.settings.norm_epsilon << input.settings.lambda_0)
                           .stamp();
  if (const OutputGate gate = input.settings.output_gate; gate != OutputGate::none) {
    const bool of_head = gate == OutputGate::head;
    const Stamp gates = of_head ? opened(input.X, w.w_G, h, 1) : opened(input.X, w.W_G, first, d_k);
    if (!of_head) of.output_gate = gates;
    of.gated_output = (Key("gated") << of.ungated() << gates).stamp();
  }
  of.contribution = (Key("added") << of.leaving() << w.W_O.stamp_of_rows(first, d_k) << input.gate(h)).stamp();
}

template <class S>
Stamp stamp_of_lambda(const LayerInput<S>& input) {
  const AttentionWeights<S>& w = input.weights;
  if (!input.settings.differential) return {};
  return (Key("lambda") << w.lambda_q1.stamp() << w.lambda_k1.stamp() << w.lambda_q2.stamp() << w.lambda_k2.stamp()
                        << input.settings.lambda_0)
      .stamp();
}

template <class S>
std::vector<HeadStamps> stamps_of(const LayerInput<S>& input) {
  const Stamp mask = stamp_of(input.mask), lambda = stamp_of_lambda(input);
  const bool before = talk_before(input.settings), after = talk_after(input.settings);
  std::vector<HeadStamps> all;
  all.reserve(static_cast<std::size_t>(input.heads));
  const auto at = [&](Index h) -> HeadStamps& { return all[static_cast<std::size_t>(h)]; };
  for (Index h = 0; h < input.heads; ++h) all.push_back(stamps_to_scores(input, mask, h));
  for (Index h = 0; h < input.heads; ++h) {
    if (before)
      at(h).scores = (Key("masked") << mask << heard(input, input.weights.P_L, h, [&](Index l) {
                        return at(l).own_scores;
                      })).stamp();
    (after || lambda ? at(h).own_attention : at(h).attention) = softmaxed(input, h, at(h).scores);
    if (!lambda) continue;
    at(h).attention_2 = softmaxed(input, h, at(h).scores_2);
    at(h).attention = (Key("difference") << at(h).own_attention << at(h).attention_2 << lambda).stamp();
  }
  for (Index h = 0; h < input.heads; ++h) {
    if (after) at(h).attention = heard(input, input.weights.P_W, h, [&](Index l) { return at(l).own_attention; });
    add_stamps_from_attention(input, h, at(h));
  }
  return all;
}

template <class S>
Stamp stamp_of_head_gates(const LayerInput<S>& input) {
  return input.settings.output_gate == OutputGate::head ? opened(input.X, input.weights.w_G, 0, input.heads) : Stamp();
}

// Of C and of Y, from what the heads have.
struct OutputStamps {
  Key concat{"side by side"}, output{"sum"};
  template <class S>
  void add(const LayerInput<S>& input, const HeadStamps& head, Index h) {
    concat << head.leaving() << input.gate(h);
    output << head.contribution;
  }
};

}  // namespace hydra

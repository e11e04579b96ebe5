// Multi-head attention: Vaswani et al. 2017, sections 3.2.1 and 3.2.2; with the difference of two patterns: Ye et al.
// 2024, section 2.1. What has a head is computed for each.
#include "core/model/program.h"

namespace hydra {

namespace {

using Op = Operation;

constexpr ProgramNode times_gate(ProgramNode node) {
  node.gated = true;
  return node;
}

constexpr ProgramNode of_half(Half half, ProgramNode node) {
  node.half = half;
  return node;
}

ProgramNode softmax_of(Quantity result, Quantity scores, const LayerSettings& settings) {
  return settings.sink == SinkKind::learned ? node(result, Op::softmax, scores, Quantity::sink)
                                            : node(result, Op::softmax, scores);
}

ProgramNode scores_of(Quantity result, Quantity query, Quantity key, const LayerSettings& settings) {
  return settings.offset_bias ? node(result, Op::scores, query, key, Quantity::offset_bias)
                              : node(result, Op::scores, query, key);
}

// From queries and keys to what multiplies V: one pattern, which may be of what all heads have, or a difference of two.
void add_pattern(Nodes& nodes, Quantity query, Quantity key, const LayerSettings& settings) {
  using enum Quantity;
  const bool before = talk_before(settings), after = talk_after(settings);
  nodes.push_back(scores_of(before ? own_scores : scores, query, key, settings));
  if (before) nodes.push_back(node(scores, Op::talk, own_scores, P_L));
  nodes.push_back(softmax_of(after ? own_attention : attention, scores, settings));
  if (after) nodes.push_back(node(attention, Op::talk, own_attention, P_W));
}
void add_difference(Nodes& nodes, Quantity query, Quantity key, const LayerSettings& settings) {
  using enum Quantity;
  nodes.insert(nodes.end(), {
                                node(lambda, Op::lambda, lambda_q1, lambda_k1, lambda_q2, lambda_k2),
                                of_half(Half::first, scores_of(scores, query, key, settings)),
                                of_half(Half::second, scores_of(scores_2, query, key, settings)),
                                softmax_of(own_attention, scores, settings),
                                softmax_of(attention_2, scores_2, settings),
                                node(attention, Op::subtract, own_attention, attention_2, lambda),
                            });
}

}  // namespace

void add_attention(Nodes& nodes, Quantity read, const LayerSettings& settings) {
  using enum Quantity;
  nodes.insert(nodes.end(), {
                                node(Q, Op::linear, read, W_Q, b_Q), node(K, Op::linear, read, W_K, b_K),
                                node(V, Op::linear, read, W_V, b_V),  // rows of V and of attention may be set by hand
                            });
  Quantity query = Q, key = K;  // that meet in the scores
  const auto made = [&](const ProgramNode& query_node, const ProgramNode& key_node) {
    nodes.insert(nodes.end(), {query_node, key_node});
    query = query_node.result, key = key_node.result;
  };
  if (settings.qk_norm) made(node(normed_Q, Op::norm, query, gain_Q), node(normed_K, Op::norm, key, gain_K));
  if (settings.rotary) made(node(rotated_Q, Op::rotate, query), node(rotated_K, Op::rotate, key));
  (settings.differential ? add_difference : add_pattern)(nodes, query, key, settings);
  if (settings.dropout > 0) nodes.push_back(node(dropped_attention, Op::drop, attention));
  nodes.push_back(node(output, Op::mix, settings.dropout > 0 ? dropped_attention : attention, V));
  Quantity left = output;  // by the head
  if (settings.differential) {
    nodes.push_back(node(normed_output, Op::norm, output, gain_O));
    left = normed_output;
  }
  if (settings.output_gate != OutputGate::none) {
    const bool of_head = settings.output_gate == OutputGate::head;
    const ProgramNode gates = of_head ? node(head_gates, Op::open, read, w_G) : node(output_gate, Op::open, read, W_G);
    nodes.insert(nodes.end(), {gates, node(gated_output, Op::multiply, left, gates.result)});
    left = gated_output;
  }
  nodes.insert(nodes.end(), {
                                times_gate(node(contribution, Op::linear, left, W_O)),
                                times_gate(node(concat, Op::join, left)),
                                node(Y, Op::add, contribution, b_O),
                            });
}

// Nothing else reads it.
void add_asked(Nodes& nodes) {
  using enum Quantity;
  nodes.insert(nodes.end(), {
                                node(query_key, Op::outer, W_Q, W_K),
                                node(value_output, Op::linear, W_V, W_O),
                                times_gate(node(value_weighted, Op::weigh, attention, V, W_O)),
                                node(mean_attention, Op::mean, attention),
                            });
}

}  // namespace hydra

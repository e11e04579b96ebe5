// A layer from top to bottom: its heads, and around them, where they are on, norms, sums with the stream, and the
// feed-forward part. Norms before and after: Xiong et al. 2020, figure 1; of what a part gives: Gemma Team 2024,
// section 2, OLMo Team 2025, section 2.1; parallel blocks: Wang and Komatsuzaki 2021.
#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>
#include <tuple>

#include "core/model/program.h"

namespace hydra {

namespace {

using Op = Operation;

class Writer {
  using enum Quantity;

 public:
  explicit Writer(const LayerSettings& settings) : s_(settings) {}

  // heads: null where they are those of the settings.
  LayerProgram program(const Nodes* heads = nullptr) {
    add(node(X, Op::add, embedding, positions));  // of the first layer; of others what the layer before gives
    program_.read = before() ? normed(norm_1, X, gain_1, shift_1) : X;
    if (heads)
      program_.nodes.insert(program_.nodes.end(), heads->begin(), heads->end());
    else
      add_attention(program_.nodes, program_.read, s_);
    heads_end_ = program_.nodes.size();
    program_.leaves = s_.parallel ? beside_heads() : after_heads();
    block_end_ = program_.nodes.size();
    add_asked(program_.nodes);
    finish();
    return std::move(program_);
  }

 private:
  bool before() const { return norms_before(s_); }
  bool after() const { return norms_after(s_); }
  Quantity add(const ProgramNode& node) {
    program_.nodes.push_back(node);
    return node.result;
  }
  Quantity normed(Quantity result, Quantity of, Quantity gain, Quantity shift) {
    return s_.norm_kind == NormKind::layer ? add(node(result, Op::norm, of, gain, shift))
                                           : add(node(result, Op::norm, of, gain));
  }

  // What a part gives, as it is added.
  Quantity heads_give() { return norms_outputs(s_) ? normed(normed_Y, Y, gain_Y, shift_Y) : Y; }
  Quantity feed_forward_gives() {
    return norms_outputs(s_) ? normed(normed_F, feed_forward, gain_F, shift_F) : feed_forward;
  }

  // Stream and part summed, and normed after it: the stream that goes on.
  Quantity joined(Quantity stream_now, Quantity part, Quantity sum, Quantity next, Quantity gain, Quantity shift) {
    if (s_.residual) part = add(node(after() ? sum : next, Op::add, stream_now, part));
    return after() ? normed(next, part, gain, shift) : part;
  }

  Quantity after_heads() {
    const Quantity next = joined(X, heads_give(), sum_1, s_.feed_forward ? stream_1 : stream, gain_1, shift_1);
    if (!s_.feed_forward) return next;
    add_feed_forward(program_.nodes, before() ? normed(norm_2, next, gain_2, shift_2) : next, s_);
    return joined(next, feed_forward_gives(), sum_2, stream, gain_2, shift_2);
  }

  Quantity beside_heads() {
    const bool own_norm = before() && !s_.norm_shared;
    const Quantity heads = heads_give();
    add_feed_forward(program_.nodes, own_norm ? normed(norm_2, X, gain_2, shift_2) : program_.read, s_);
    const Quantity part = feed_forward_gives();
    return add(s_.residual ? node(stream, Op::add, X, heads, part) : node(stream, Op::add, heads, part));
  }

  void finish() {
    program_.find_parameters();
    const std::span<const ProgramNode> nodes = program_.nodes;
    program_.before = program_.read == X ? nodes.subspan(0, 0) : nodes.subspan(1, 1);
    const std::size_t heads_begin = 1 + program_.before.size();
    program_.heads = nodes.subspan(heads_begin, heads_end_ - heads_begin);
    program_.after = nodes.subspan(heads_end_, block_end_ - heads_end_);
    find_parts(program_.heads);
  }
  void find_parts(std::span<const ProgramNode> heads) {
    const auto from = std::ranges::find(heads, Operation::scores, &ProgramNode::operation);
    const auto weights = std::ranges::find(heads, Operation::softmax, &ProgramNode::operation);
    const auto own = std::find_if_not(heads.begin(), from, is_projection);
    program_.projections = {heads.begin(), own}, program_.own = {own, from}, program_.rest = {from, heads.end()};
    program_.ends = {from->reads()[0], from->reads()[1], weights->result, program_.node_of(concat).reads()[0]};
    std::vector<Quantity> kept;
    for (const ProgramNode& node : heads)
      if (has_head(node.result) && entry_of(node.result).kind == QuantityRow::Kind::computed)
        kept.push_back(node.result);
    program_.passages = passages_to(heads, kept);
  }

  const LayerSettings& s_;
  LayerProgram program_{};
  std::size_t heads_end_ = 0, block_end_ = 0;
};

// What the list of nodes depends on.
auto what_it_has(const LayerSettings& s) {
  return std::tuple(s.residual, s.norm, s.norm_kind, s.norm_place, s.norm_shared, s.feed_forward, s.gated, s.parallel,
                    s.offset_bias, s.dropout > 0, s.qk_norm, s.rotary, s.sink, s.output_gate, s.talking_heads,
                    s.differential);
}

using WhatItHas = decltype(what_it_has({}));

std::mutex programs_mutex;
const LayerProgram* others = nullptr;  // OtherHeads
WhatItHas others_settings;

}  // namespace

OtherHeads::OtherHeads(const LayerSettings& settings, Nodes heads) : program_(Writer(settings).program(&heads)) {
  const std::lock_guard lock(programs_mutex);
  assert(!others);
  others = &program_, others_settings = what_it_has(settings);
}
OtherHeads::~OtherHeads() {
  const std::lock_guard lock(programs_mutex);
  others = nullptr;
}

const LayerProgram& program_of(const LayerSettings& settings) {
  static std::map<WhatItHas, const LayerProgram> programs;
  const std::lock_guard lock(programs_mutex);
  const auto key = what_it_has(settings);
  if (others && key == others_settings) return *others;
  if (const auto found = programs.find(key); found != programs.end()) return found->second;
  const LayerProgram& made = programs.emplace(key, Writer(settings).program()).first->second;
  assert(fault_of(made).empty());
  return made;
}

}  // namespace hydra

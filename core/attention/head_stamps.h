// What the stages of a layer's heads should be, by their stamps: each a key of the operation and of all that it depends
// on, as the program lists it. What has another stamp in the trace before is stale.
#pragma once
#include <vector>

#include "core/attention/forward.h"
#include "core/model/program.h"
#include "core/ops/rotate.h"

namespace hydra {

template <class S>
Stamp stamp_of(const std::vector<PaintedRow<S>>& rows) {
  Key key("painted");
  for (const PaintedRow<S>& row : rows) key << row.row << row.values.stamp();
  return key.stamp();
}

struct StampsOfHeads : OfLayer<Stamp> {
  std::vector<OfHead<Stamp>> heads;
};

// Goes through the program.
template <class S>
class StampWriter {
 public:
  explicit StampWriter(const LayerInput<S>& input) : input_(input), mask_(stamp_of(input.mask)) {
    stamps_.heads.resize(static_cast<std::size_t>(input.heads));
    for (const HeadTerms& own : input.own) own_masks_.push_back(stamp_of(own.mask));
  }

  StampsOfHeads stamps() {
    for (const ProgramNode& node : program_of(input_.settings).heads)
      if (is_head_stage(node.result))
        add_to_heads(node);
      else
        stamps_[node.result] = of_layer(node);
    return std::move(stamps_);
  }

 private:
  Stamp mask_of(Index h) const { return own_masks_.empty() ? mask_ : own_masks_[static_cast<std::size_t>(h)]; }
  OfHead<Stamp>& of(Index h) { return stamps_.heads[static_cast<std::size_t>(h)]; }

  // What all heads depend on.
  Key key_of(const ProgramNode& node) const {
    const LayerSettings& s = input_.settings;
    Key key("of heads");
    key << node.operation;
    if (node.operation == Operation::norm) key << s.norm_epsilon << norm_parts_of(node, s) << norm_factor_of(node, s);
    if (node.operation == Operation::rotate) {
      const rotate::Rotation by = rotate::rotation_of(s, input_.d_k());
      key << by.base << by.width << by.pairs << by.part << by.scaling << by.factor << by.length << by.slow << by.fast
          << by.magnitude << input_.mask.first;
    }
    if (node.operation == Operation::scores) key << node.half << s.soft_cap;
    if (node.operation == Operation::softmax) key << s.sink;
    if (node.operation == Operation::talk) key << input_.n() << mask_;
    if (node.operation == Operation::lambda) key << s.lambda_0;
    return key;
  }

  void add_to_heads(const ProgramNode& node) {
    keys_.assign(stamps_.heads.size(), key_of(node));
    for (const Quantity read : node.reads()) add_operand(node, read);
    if (node.gated) for_keys([&](Key& key, Index h) { key << input_.gate(h); });
    if (node.operation == Operation::scores)
      for_keys([&](Key& key, Index h) {
        key << mask_of(h) << input_.score_factor(h) << scores::slope_of(input_.settings, h, input_.heads);
      });
    if (node.operation == Operation::drop)
      for_keys([&](Key& key, Index h) {
        const dropout::Rule rule = input_.dropout_rule(h);
        key << rule.rate << rule.key;
      });
    for_keys([&](Key& key, Index h) { of(h)[node.result] = key.stamp(); });
    for (Index h = 0; h < static_cast<Index>(input_.painted.size()); ++h)
      if (const auto* rows = painted_rows(input_.painted[static_cast<std::size_t>(h)], node.result);
          rows && !rows->empty())
        of(h)[node.result] = (Key("with painted") << of(h)[node.result] << stamp_of(*rows)).stamp();
  }
  template <class Add>
  void for_keys(const Add& add) {
    for (Index h = 0; h < input_.heads; ++h) add(keys_[static_cast<std::size_t>(h)], h);
  }

  // What each head reads of an operand: its part of a parameter, its own stage or gates, or what all read.
  void add_operand(const ProgramNode& node, Quantity read) {
    const Array<S>* parameter = field_of(input_.weights, read);
    if (node.operation == Operation::norm && is_head_stage(read) && hears_all_heads(node, input_.settings))
      for_keys([&](Key& key, Index h) {
        key << of(h)[read];
        for (Index l = 0; l < input_.heads; ++l) key << of(l)[read];
      });
    else if (node.operation == Operation::talk && !parameter)
      for_keys([&](Key& key, Index h) { add_heard(key, h, node); });
    else if (parameter && *parameter)
      add_parts(*parameter, entry_of(read));
    else if (is_head_stage(read))
      for_keys([&](Key& key, Index h) { key << of(h)[read]; });
    else if (read == Quantity::head_gates)
      for_keys([&](Key& key, Index h) { key << input_.X.stamp() << input_.weights.w_G.stamp_of_columns(h, 1); });
    else if (!parameter)
      for_keys([&](Key& key, Index) { key << whole(read); });
  }
  void add_parts(const Array<S>& parameter, const QuantityRow& row) {
    const Index d_k = input_.d_k();
    if (row.rows == Axis::heads)
      for_keys([&](Key& key, Index h) { key << parameter.stamp_of_rows(h, 1); });
    else if (row.rows == Axis::head_dim)
      for_keys([&](Key& key, Index h) { key << parameter.stamp_of_rows(h * d_k, d_k); });
    else if (row.cols == Axis::heads)
      for_keys([&](Key& key, Index h) { key << parameter.stamp_of_columns(h, 1); });
    else
      for_keys([&](Key& key, Index h) {
        key << parameter.stamp_of_columns((row.of_group ? input_.kv_head(h) : h) * d_k, d_k);
      });
  }
  // Of the heads that it hears.
  void add_heard(Key& key, Index h, const ProgramNode& node) {
    const auto P = **field_of(input_.weights, node.reads()[1]);
    for (Index l = 0; l < input_.heads; ++l)
      if (P(h, l) != 0) key << l << of(l)[node.reads()[0]];
  }

  // Of what has no head: of all heads' operands, or of whole ones.
  Stamp of_layer(const ProgramNode& node) {
    Key key = key_of(node);
    for (const Quantity read : node.reads()) {
      const bool of_heads = is_head_stage(read);
      for (Index h = 0; h < input_.heads && of_heads; ++h) key << of(h)[read];
      for (Index h = 0; h < input_.heads && of_heads && node.gated; ++h) key << input_.gate(h);
      if (!of_heads) key << whole(read);
    }
    return key.stamp();
  }
  Stamp whole(Quantity read) const {
    if (const Array<S>* parameter = field_of(input_.weights, read)) return parameter->stamp();
    return read == Quantity::lambda ? stamps_.lambda : input_.X.stamp();
  }

  const LayerInput<S>& input_;
  Stamp mask_;                    // of heads that have none of their own
  std::vector<Stamp> own_masks_;  // by head; may be empty
  StampsOfHeads stamps_;
  std::vector<Key> keys_;  // of the heads' stage in the making
};

template <class S>
StampsOfHeads stamps_of(const LayerInput<S>& input) {
  return StampWriter<S>(input).stamps();
}

}  // namespace hydra

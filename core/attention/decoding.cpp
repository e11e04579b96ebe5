#include "core/attention/decoding.h"

#include <algorithm>
#include <cassert>

#include "core/attention/row_products.h"
#include "core/attention/stages.h"

namespace hydra {

namespace {

template <class S>
MatView<S> row_or_none(const Array<S>& row) {
  return linear::part_of(row, 0, row.cols());
}

// Products of the same rows.
bool is_beside(const ProgramNode& product, const ProgramNode& next) {
  return next.operation == Operation::linear && next.reads()[0] == product.reads()[0];
}

}  // namespace

template <class S>
Decoder<S>::Decoder(const LayerInput<S>& layer, Index capacity) : layer_(layer), value_heads_(layer.kv_heads()) {
  const Index d_model = layer_.weights.W_Q.rows(), heads = layer_.heads;
  const bool shared = layer_.kv_heads() < heads;
  const auto has_values = [](const PaintedHead<S>& head) { return !head.values.empty(); };
  if (shared && std::ranges::any_of(layer_.painted, has_values)) value_heads_ = heads;
  layer_.X = share(Mat<S>(0, d_model));  // for its width
  for (Index h = 0; h < heads; ++h) rules_.push_back(layer_.score_rule(h));
  K_.resize(capacity, layer_.kv_width());
  V_.resize(capacity, value_heads_ * layer_.d_k());
  q_.resize(1, layer_.concat_width());
  concat_.resize(1, layer_.concat_width());
  new_values_.resize(1, value_heads_ == layer_.kv_heads() ? 0 : layer_.kv_width());
  scores_.resize(heads, capacity);
  if (layer_.settings.rotary && capacity > 0)  // the angles of all places are made now
    rotate::forward<S>(Mat<S>::Zero(1, layer_.d_k()), rotate::rotation_of(layer_.settings, layer_.d_k()), capacity - 1,
                       q_.leftCols(layer_.d_k()));
  if (layer_.settings.output_gate != OutputGate::none) gates_.resize(1, gate_weights(layer_)->cols());
  if (layer_.settings.talking_heads != TalkingHeads::none) heard_.resize(heads, capacity);
  if (!layer_.settings.differential) return;
  second_.resize(heads, capacity);
  lambda_ = lambda_of(layer_);
}

template <class S>
Index Decoder<S>::first_key(Index h) const {
  const Mask& mask = layer_.mask_of(h);
  return mask.window == 0 ? mask.first : std::max(mask.first, tokens_ + 1 - mask.window);
}

template <class S>
std::size_t Decoder<S>::cache_bytes() const {
  return static_cast<std::size_t>(tokens_ * (K_.cols() + V_.cols())) * sizeof(S);
}

template <class S>
RowVec<S> Decoder<S>::step(const RowVec<S>& x) {
  Mat<S> y(1, layer_.d_model());
  step(x, y);
  return y.row(0);
}

template <class S>
void Decoder<S>::step(MatIn<S> x, MatOut<S> y, ThreadPool* pool) {
  assert(tokens_ < K_.rows() && x.cols() == layer_.d_model());
  const AttentionWeights<S>& w = layer_.weights;
  const LayerSettings& settings = layer_.settings;
  const Index heads = layer_.heads, d_k = layer_.d_k();
  const bool own_values = value_heads_ == layer_.kv_heads();
  RowProduct<S> products[] = {
      {x, w.W_Q, row_or_none(w.b_Q), q_},
      {x, w.W_K, row_or_none(w.b_K), K_.row(tokens_)},
      {x, w.W_V, row_or_none(w.b_V), own_values ? MatOut<S>(V_.row(tokens_)) : MatOut<S>(new_values_)}};
  multiply_row<S>(pool, products);
  for (Index h = 0; h < heads && !own_values; ++h)
    V_.block(tokens_, h * d_k, 1, d_k) = new_values_.middleCols(layer_.kv_head(h) * d_k, d_k);
  finish_keys(1);
  norm_and_rotate<S>(layer_, w.gain_Q, 0, tokens_, q_);
  if (gates_.size() > 0) gate::open<S>(x, *gate_weights(layer_), gates_);
  if (tokens_ < layer_.mask.first)  // a pad
    concat_.setZero();
  else if (settings.talking_heads != TalkingHeads::none)
    talk();
  else if (pool && pool->threads() > 1 && 2 * (tokens_ + 1) * q_.cols() >= kFewWeights)
    pool->run(heads, [this](Index h) { attend(h); });
  else
    for (Index h = 0; h < heads; ++h) attend(h);
  RowProduct<S> out[] = {{concat_, w.W_O, row_or_none(w.b_O), y}};
  multiply_row<S>(pool, out);
  ++tokens_;
}

template <class S>
void Decoder<S>::score(Index h, Half half, MatOut<S> row) const {
  static const Mask none;  // keys that a token does not see are left out
  const Index d_k = layer_.d_k(), first = first_key(h);
  const Range cols = columns_of(half, d_k);
  scores::forward<S>(q_.middleCols(h * d_k + cols.first, cols.count()),
                     K_.block(first, layer_.kv_head(h) * d_k + cols.first, row.cols(), cols.count()),
                     rules_[static_cast<std::size_t>(h)], none, tokens_, row, first);
}

template <class S>
void Decoder<S>::give(Index h, MatOut<S> by) {
  drop_some<S>(layer_, h, tokens_, first_key(h), by);
  const Index d_k = layer_.d_k(), value_head = value_heads_ == layer_.heads ? h : layer_.kv_head(h);
  MatOut<S> out = concat_.middleCols(h * d_k, d_k);
  mix::forward<S>(by, V_.block(first_key(h), value_head * d_k, keys(h), d_k), out);
  if (layer_.settings.differential) normalize_output<S>(layer_, h, out, out);
  if (gates_.size() > 0) gate::forward<S>(out, gates_of<S>(layer_, gates_, h), out);
  scale::forward<S>(out, layer_.gate(h), out);
}

template <class S>
void Decoder<S>::attend(Index h) {
  MatOut<S> weights = row(scores_, h);
  score(h, half_of_scores(layer_.settings), weights);
  softmax::forward<S>(weights, weights, layer_.sink(h));
  if (layer_.settings.differential) {
    MatOut<S> second = row(second_, h);
    score(h, Half::second, second);
    softmax::forward<S>(second, second, layer_.sink(h));
    differ::forward<S>(weights, second, lambda_, weights);
  }
  give(h, weights);
}

template <class S>
void Decoder<S>::talk() {
  const Index heads = layer_.heads;
  const bool before = talk_before(layer_.settings), after = talk_after(layer_.settings);
  const auto own = [&](Index h) { return row(scores_, h); };
  const auto heard = [&](Index h) { return row(heard_, h); };
  for (Index h = 0; h < heads; ++h) score(h, half_of_scores(layer_.settings), own(h));
  for (Index h = 0; h < heads && before; ++h) hydra::talk::forward<S>(*layer_.weights.P_L, h, own, heard(h));
  for (Index h = 0; h < heads; ++h) softmax::forward<S>(before ? heard(h) : own(h), own(h), layer_.sink(h));
  for (Index h = 0; h < heads && after; ++h) hydra::talk::forward<S>(*layer_.weights.P_W, h, own, heard(h));
  for (Index h = 0; h < heads; ++h) give(h, after ? heard(h) : own(h));
}

template <class S>
void Decoder<S>::take(MatIn<S> X) {
  assert(tokens_ + X.rows() <= K_.rows() && X.cols() == layer_.d_model());
  append(X);
  tokens_ += X.rows();
}

template <class S>
void Decoder<S>::take(const LayerTrace<S>& trace) {
  const Index n = trace.input.n(), d_k = layer_.d_k(), heads = layer_.heads;
  assert(tokens_ == 0 && n <= K_.rows());
  const auto head = [&](Index h) -> const HeadTrace<S>& { return trace.heads[static_cast<std::size_t>(h)]; };
  const KeyGroups groups = layer_.key_groups();
  for (Index k = 0; k < groups.sets(); ++k) K_.block(0, k * d_k, n, d_k) = *head(groups.first(k)).asked();
  for (Index k = 0; k < value_heads_; ++k)
    V_.block(0, k * d_k, n, d_k) = *head(value_heads_ == heads ? k : groups.first(k)).V;
  tokens_ = n;
}

template <class S>
void Decoder<S>::append(MatIn<S> X) {
  assert(value_heads_ == layer_.kv_heads());
  const AttentionWeights<S>& w = layer_.weights;
  linear::forward<S>(X, w.W_K, row_or_none(w.b_K), K_.middleRows(tokens_, X.rows()));
  linear::forward<S>(X, w.W_V, row_or_none(w.b_V), V_.middleRows(tokens_, X.rows()));
  finish_keys(X.rows());
}

template <class S>
void Decoder<S>::finish_keys(Index count) {
  norm_and_rotate<S>(layer_, layer_.weights.gain_K, 0, tokens_, K_.middleRows(tokens_, count));
}

template <class S>
BlockDecoder<S>::BlockDecoder(const LayerInput<S>& layer, Index capacity)
    : layer_(layer), program_(program_of(layer.settings)), heads_(layer, capacity) {
  const Index d_model = layer.weights.W_Q.rows();
  Index width = 0;
  const auto add = [&](Quantity quantity, Index cols) {
    stages_.push_back({quantity, width, cols});
    width += (cols + 15) / 16 * 16;
  };
  const auto cols_of = [&](Quantity quantity) { return quantity == Quantity::X ? d_model : stage_of(quantity).cols; };
  add(Quantity::Y, d_model);
  for (const std::span<const ProgramNode> nodes : {program_.before, program_.after})
    for (const ProgramNode& node : nodes)
      add(node.result, node.operation == Operation::linear ? field_of(layer_.weights, node.reads()[1])->cols()
                                                           : cols_of(node.reads()[0]));
  row_.resize(1, width);
}

template <class S>
const typename BlockDecoder<S>::Stage& BlockDecoder<S>::stage_of(Quantity quantity) const {
  return *std::ranges::find(stages_, quantity, &Stage::quantity);
}

template <class S>
Array<S> BlockDecoder<S>::take(const Array<S>& stream, ThreadPool* pool) {
  BlockTrace<S> block;
  block.input = stream;
  const BlockMaking<S> making{layer_.settings, layer_.weights, nullptr, pool};
  LayerInput<S> input = layer_;
  input.X = before_heads(making, block);
  input.keep_all = false;
  const LayerTrace<S> trace = forward(std::move(input), static_cast<const LayerTrace<S>*>(nullptr), pool);
  heads_.take(trace);
  return after_heads(making, trace.output, block);
}

template <class S>
void BlockDecoder<S>::step(MatIn<S> stream, MatOut<S> leaves, ThreadPool* pool) {
  carry_out(program_.before, stream, pool);
  heads_.step(program_.read == Quantity::X ? stream : MatView<S>(of(stage_of(program_.read))),
              of(stage_of(Quantity::Y)), pool);
  carry_out(program_.after, stream, pool);
  leaves = of(stage_of(program_.leaves));
}

template <class S>
void BlockDecoder<S>::carry_out(std::span<const ProgramNode> nodes, MatIn<S> stream, ThreadPool* pool) {
  static const Mat<S> none;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto whole_of = [&](const ProgramNode& node, std::size_t operand) -> MatView<S> {
      if (operand >= node.reads().size()) return none;
      const Array<S>& parameter = *field_of(layer_.weights, node.reads()[operand]);
      if (!parameter) return none;
      return *parameter;
    };
    const auto rows_of = [&](const ProgramNode& node, std::size_t operand) -> MatView<S> {
      if (operand >= node.reads().size()) return none;
      const Quantity quantity = node.reads()[operand];
      if (quantity == Quantity::X) return stream;
      return of(stage_of(quantity));
    };
    const ProgramNode& node = nodes[k];
    const auto product_of = [&](const ProgramNode& of_node) -> RowProduct<S> {
      const Array<S>& W = *field_of(layer_.weights, of_node.reads()[1]);
      return {rows_of(of_node, 0), W, whole_of(of_node, 2), of(stage_of(of_node.result))};
    };
    if (node.operation != Operation::linear) {
      make_block_rows<S>(
          node, layer_.settings, [&](std::size_t operand) { return rows_of(node, operand); },
          [&](std::size_t operand) { return whole_of(node, operand); }, of(stage_of(node.result)));
    } else if (k + 1 < nodes.size() && is_beside(node, nodes[k + 1])) {
      RowProduct<S> products[] = {product_of(node), product_of(nodes[++k])};
      multiply_row<S>(pool, products);
    } else {
      RowProduct<S> products[] = {product_of(node)};
      multiply_row<S>(pool, products);
    }
  }
}

template class Decoder<float>;
template class Decoder<double>;
template class BlockDecoder<float>;
template class BlockDecoder<double>;

}  // namespace hydra

#include "core/attention/decoding.h"

#include <cassert>

#include "core/attention/stages.h"

namespace hydra {

template <class S>
Decoder<S>::Decoder(const LayerInput<S>& layer, Index capacity) : layer_(layer), scores_(layer.heads, capacity) {
  const Index d_model = layer_.weights.W_Q->rows();
  layer_.X = share(Mat<S>(0, d_model));  // for its width
  K_.resize(capacity, layer_.kv_width());
  V_.resize(capacity, layer_.kv_width());
  if (layer_.settings.differential) lambda_ = lambda_of(layer_);
}

template <class S>
void Decoder<S>::score(MatIn<S> q, Index h, const Mask& mask, Half half, MatOut<S> row) const {
  const Index d_k = layer_.d_k();
  const Range cols = columns_of(half, d_k);
  scores::forward<S>(q.middleCols(h * d_k + cols.first, cols.count()),
                     K_.block(0, layer_.kv_head(h) * d_k + cols.first, row.cols(), cols.count()), layer_.score_rule(h),
                     mask, tokens_, row);
}

template <class S>
std::size_t Decoder<S>::cache_bytes() const {
  return static_cast<std::size_t>(2 * tokens_ * layer_.kv_width()) * sizeof(S);
}

template <class S>
RowVec<S> Decoder<S>::step(const RowVec<S>& x) {
  assert(tokens_ < K_.rows() && x.size() == layer_.d_model());
  const AttentionWeights<S>& w = layer_.weights;
  const Index d_k = layer_.d_k(), seen = tokens_ + 1;
  Mat<S> q(1, layer_.concat_width()), concat(1, layer_.concat_width()), y(1, layer_.d_model());
  linear::forward<S>(x, *w.W_Q, linear::part_of(w.b_Q, 0, q.cols()), q);
  append(x);
  const Mask mask{Mask::Kind::causal, nullptr, layer_.mask.window};
  for (Index first = 0; first < q.cols(); first += d_k)
    norm_and_rotate<S>(layer_, linear::part_of(w.gain_Q, first, d_k), tokens_, q.middleCols(first, d_k));
  Mat<S> gates;
  if (layer_.settings.output_gate != OutputGate::none) {
    gates.resize(1, gate_weights(layer_)->cols());
    gate::open<S>(x, *gate_weights(layer_), gates);
  }
  const auto row = [&](Index h) -> MatOut<S> { return scores_.block(h, 0, 1, seen); };
  const auto score = [&](Index h) { this->score(q, h, mask, half_of_scores(layer_.settings), row(h)); };
  const auto give = [&](Index h, MatIn<S> weights) {
    MatOut<S> out = concat.middleCols(h * d_k, d_k);
    mix::forward<S>(weights, V_.block(0, layer_.kv_head(h) * d_k, seen, d_k), out);
    if (layer_.settings.differential) normalize_output<S>(layer_, h, out, out);
    if (gates.size() > 0) gate::forward<S>(out, gates_of<S>(layer_, gates, h), out);
    scale::forward<S>(out, layer_.gate(h), out);
  };
  Mat<S> second(1, layer_.settings.differential ? seen : 0);
  if (layer_.settings.talking_heads == TalkingHeads::none)
    for (Index h = 0; h < layer_.heads; ++h) {
      score(h);
      softmax::forward<S>(row(h), row(h), layer_.sink(h));
      if (layer_.settings.differential) {
        this->score(q, h, mask, Half::second, second);
        softmax::forward<S>(second, second, layer_.sink(h));
        differ::forward<S>(row(h), second, lambda_, row(h));
      }
      give(h, row(h));
    }
  else
    talk(mask, row, score, give);
  linear::forward<S>(concat, *w.W_O, linear::part_of(w.b_O, 0, y.cols()), y);
  tokens_ = seen;
  return y.row(0);
}

template <class S>
template <class Row, class Score, class Give>
void Decoder<S>::talk(const Mask& mask, const Row& row, const Score& score, const Give& give) {
  const LayerSettings& settings = layer_.settings;
  const Index heads = layer_.heads;
  const bool before = talk_before(settings), after = talk_after(settings);
  Mat<S> heard(heads, tokens_ + 1);
  for (Index h = 0; h < heads; ++h) score(h);
  for (Index h = 0; h < heads && before; ++h) {
    hydra::talk::forward<S>(*layer_.weights.P_L, h, row, heard.row(h));
    apply_mask<S>(mask, tokens_, heard.row(h));
  }
  for (Index h = 0; h < heads; ++h)
    softmax::forward<S>(before ? MatView<S>(heard.row(h)) : MatView<S>(row(h)), row(h), layer_.sink(h));
  for (Index h = 0; h < heads && after; ++h) hydra::talk::forward<S>(*layer_.weights.P_W, h, row, heard.row(h));
  for (Index h = 0; h < heads; ++h) give(h, after ? MatView<S>(heard.row(h)) : MatView<S>(row(h)));
}

template <class S>
void Decoder<S>::take(MatIn<S> X) {
  assert(tokens_ + X.rows() <= K_.rows() && X.cols() == layer_.d_model());
  append(X);
  tokens_ += X.rows();
}

template <class S>
void Decoder<S>::append(MatIn<S> X) {
  const AttentionWeights<S>& w = layer_.weights;
  linear::forward<S>(X, *w.W_K, linear::part_of(w.b_K, 0, K_.cols()), K_.middleRows(tokens_, X.rows()));
  linear::forward<S>(X, *w.W_V, linear::part_of(w.b_V, 0, V_.cols()), V_.middleRows(tokens_, X.rows()));
  for (Index first = 0; first < K_.cols(); first += layer_.d_k())
    norm_and_rotate<S>(layer_, linear::part_of(w.gain_K, first, layer_.d_k()), tokens_,
                       K_.block(tokens_, first, X.rows(), layer_.d_k()));
}

template class Decoder<float>;
template class Decoder<double>;

}  // namespace hydra

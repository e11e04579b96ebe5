#include "core/attention/decoding.h"

#include <cassert>

#include "core/linalg/matmul.h"
#include "core/linalg/softmax.h"

namespace hydra {

template <class S>
Decoder<S>::Decoder(const LayerInput<S>& layer, Index capacity) : layer_(layer), scores_(1, capacity) {
  const Index d_model = layer_.weights.W_Q->rows();
  layer_.X = share(Mat<S>(0, d_model));  // for its width
  K_.resize(capacity, layer_.kv_width());
  V_.resize(capacity, layer_.kv_width());
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
  const auto project = [&](const Array<S>& W, const Array<S>& b, MatOut<S> out) {
    multiply<S>(x, *W, out);
    if (b) out.row(0) += b->row(0);
  };
  Mat<S> q(1, layer_.d_model()), concat(1, layer_.d_model()), y(1, layer_.d_model());
  project(w.W_Q, w.b_Q, q);
  project(w.W_K, w.b_K, K_.middleRows(tokens_, 1));
  project(w.W_V, w.b_V, V_.middleRows(tokens_, 1));
  MatOut<S> weights = scores_.leftCols(seen);
  for (Index h = 0; h < layer_.heads; ++h) {
    const Index first = h * d_k, kv_first = layer_.kv_head(h) * d_k;
    // K q: along the rows as they stand in memory.
    weights.transpose().noalias() =
        layer_.score_factor() * (K_.block(0, kv_first, seen, d_k) * q.middleCols(first, d_k).transpose());
    softmax_rows<S>(weights, weights);
    concat.middleCols(first, d_k).noalias() = layer_.gate(h) * (weights * V_.block(0, kv_first, seen, d_k));
  }
  multiply<S>(concat, *w.W_O, y);
  if (w.b_O) y.row(0) += w.b_O->row(0);
  tokens_ = seen;
  return y.row(0);
}

template <class S>
void Decoder<S>::take(MatIn<S> X) {
  assert(tokens_ + X.rows() <= K_.rows() && X.cols() == layer_.d_model());
  const AttentionWeights<S>& w = layer_.weights;
  const auto project = [&](const Array<S>& W, const Array<S>& b, MatOut<S> out) {
    multiply<S>(X, *W, out);
    if (b) out.rowwise() += b->row(0);
  };
  project(w.W_K, w.b_K, K_.middleRows(tokens_, X.rows()));
  project(w.W_V, w.b_V, V_.middleRows(tokens_, X.rows()));
  tokens_ += X.rows();
}

template class Decoder<float>;
template class Decoder<double>;

}  // namespace hydra

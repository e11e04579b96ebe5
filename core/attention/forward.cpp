#include "core/attention/forward.h"

#include <cassert>
#include <cmath>

#include "core/linalg/matmul.h"
#include "core/linalg/softmax.h"

namespace hydra {

template <class S>
S LayerInput<S>::score_factor() const {
  return (scale ? 1 / std::sqrt(static_cast<S>(d_k())) : S(1)) / temperature;
}

namespace {

template <class S>
bool same_columns(const MatPtr<S>& a, const MatPtr<S>& b, Index first, Index count) {
  return a == b || (a->rows() == b->rows() && a->cols() == b->cols() &&
                    a->middleCols(first, count) == b->middleCols(first, count));
}

template <class S>
bool same_rows(const MatPtr<S>& a, const MatPtr<S>& b, Index first, Index count) {
  return a == b || (a->rows() == b->rows() && a->cols() == b->cols() &&
                    a->middleRows(first, count) == b->middleRows(first, count));
}

template <class S>
bool same_bias(const RowVecPtr<S>& a, const RowVecPtr<S>& b, Index first, Index count) {
  if (a == b) return true;
  return a && b && a->size() == b->size() && a->segment(first, count) == b->segment(first, count);
}

// X W[:, first..first+d_k] + b[first..]  [n x d_k]
template <class S>
MatPtr<S> project(const Mat<S>& X, const Mat<S>& W, const RowVecPtr<S>& b, Index first, Index d_k) {
  Mat<S> P(X.rows(), d_k);
  multiply<S>(X, W.middleCols(first, d_k), P);
  if (b) P.rowwise() += b->segment(first, d_k);
  return share(std::move(P));
}

}  // namespace

template <class S>
LayerTrace<S> forward(LayerInput<S> input, const LayerTrace<S>* previous, ThreadPool* pool) {
  const Index n = input.n(), d_model = input.d_model(), d_k = input.d_k();
  assert(d_model % input.heads == 0);
  const LayerInput<S>* old = previous ? &previous->input : nullptr;
  if (old && (old->heads != input.heads || old->d_model() != d_model || old->n() != n)) old = nullptr;
  const bool same_X = old && (old->X == input.X || *old->X == *input.X);
  const bool same_scoring = old && old->mask == input.mask && old->score_factor() == input.score_factor();

  LayerTrace<S> trace;
  trace.heads.resize(static_cast<std::size_t>(input.heads));
  parallel_for(pool, input.heads, [&](Index h) {
    HeadTrace<S>& head = trace.heads[static_cast<std::size_t>(h)];
    if (old) head = previous->heads[static_cast<std::size_t>(h)];
    const AttentionWeights<S>& w = input.weights;
    const Index first = h * d_k;
    const auto update = [&](MatPtr<S>& out, MatPtr<S> AttentionWeights<S>::*W, RowVecPtr<S> AttentionWeights<S>::*b) {
      if (same_X && same_columns(w.*W, old->weights.*W, first, d_k) && same_bias(w.*b, old->weights.*b, first, d_k)) return false;
      out = project(*input.X, *(w.*W), w.*b, first, d_k);
      return true;
    };
    const bool new_Q = update(head.Q, &AttentionWeights<S>::W_Q, &AttentionWeights<S>::b_Q);
    const bool new_K = update(head.K, &AttentionWeights<S>::W_K, &AttentionWeights<S>::b_K);
    const bool new_V = update(head.V, &AttentionWeights<S>::W_V, &AttentionWeights<S>::b_V);
    const bool new_A = new_Q || new_K || !same_scoring;
    if (new_A) {
      Mat<S> scores(n, n), attention(n, n);
      multiply_transposed<S>(*head.Q, *head.K, input.score_factor(), scores);
      apply_mask<S>(input.mask, 0, scores);
      softmax_rows<S>(scores, attention);
      head.scores = share(std::move(scores));
      head.attention = share(std::move(attention));
    }
    const bool new_O = new_A || new_V;
    if (new_O) {
      Mat<S> output(n, d_k);
      multiply<S>(*head.attention, *head.V, output);
      head.output = share(std::move(output));
    }
    if (new_O || !same_rows(w.W_O, old->weights.W_O, first, d_k)) {
      Mat<S> contribution(n, d_model);
      multiply<S>(*head.output, w.W_O->middleRows(first, d_k), contribution);
      head.contribution = share(std::move(contribution));
    }
  });

  Mat<S> concat(n, d_model), output(n, d_model);
  for (Index h = 0; h < input.heads; ++h) {
    const HeadTrace<S>& head = trace.heads[static_cast<std::size_t>(h)];
    concat.middleCols(h * d_k, d_k) = *head.output;
    if (h == 0) output = *head.contribution;
    else output += *head.contribution;
  }
  if (input.weights.b_O) output.rowwise() += *input.weights.b_O;
  trace.concat = share(std::move(concat));
  trace.output = share(std::move(output));
  trace.input = std::move(input);
  return trace;
}

template struct LayerInput<float>;
template struct LayerInput<double>;
template LayerTrace<float> forward(LayerInput<float>, const LayerTrace<float>*, ThreadPool*);
template LayerTrace<double> forward(LayerInput<double>, const LayerTrace<double>*, ThreadPool*);

}  // namespace hydra

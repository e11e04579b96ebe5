#include "core/analysis/score_spread.h"

#include <cmath>
#include <limits>

#include "core/attention/stages.h"

namespace hydra {

namespace {

constexpr Index kMostScores = 4'000'000;

Index stride_of(const LayerInput<float>& input) { return 1 + (input.heads * input.n() * input.n() - 1) / kMostScores; }

// Sums over the scores that count.
struct Sums {
  double count = 0, sum = 0, squares = 0;

  void add(float score) {
    if (!std::isfinite(score)) return;
    const auto value = static_cast<double>(score);
    ++count, sum += value, squares += value * value;
  }
  double deviation() const {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean));
  }
};

Mat<float> projected(MatIn<float> X, MatIn<float> W, const Array<float>& b, Index first, Index d_k) {
  Mat<float> out = X * W.middleCols(first, d_k);
  if (b) out.rowwise() += b->row(0).segment(first, d_k);
  return out;
}

// Of scores that are not kept: those of the queries that count are made again.
double score_spread_again(const LayerTrace<float>& layer) {
  const LayerInput<float>& input = layer.input;
  Sums sums;
  for (Index h = 0; h < input.heads; ++h)
    for (Index row = 0; row < input.n(); row += stride_of(input)) {
      const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
      Mat<float> scores(1, input.n());
      scores::forward<float>(head.asking()->row(row), *head.asked(), input.score_rule(h), input.mask, row, scores);
      for (Index key = 0; key < input.n(); ++key) sums.add(scores(0, key));  // masked ones are -inf
    }
  return sums.deviation();
}

}  // namespace

double score_spread(const LayerTrace<float>& layer) {
  if (!layer.input.keep_all) return score_spread_again(layer);
  Sums sums;
  for (const HeadTrace<float>& head : layer.heads)
    for (Index row = 0; row < layer.input.n(); row += stride_of(layer.input))
      for (Index key = 0; key < layer.input.n(); ++key) sums.add((*head.scores)(row, key));  // masked ones are -inf
  return sums.deviation();
}

double score_spread(const LayerInput<float>& input) {
  const AttentionWeights<float>& w = input.weights;
  const Index n = input.n(), d_k = input.d_k(), stride = stride_of(input), rows = (n + stride - 1) / stride;
  Mat<float> asking(rows, input.d_model());
  for (Index k = 0; k < rows; ++k) asking.row(k) = input.X->row(k * stride);
  Sums sums;
  for (Index h = 0; h < input.heads; ++h) {
    Mat<float> Q = projected(asking, *w.W_Q, w.b_Q, h * d_k, d_k),
               K = projected(*input.X, *w.W_K, w.b_K, input.kv_head(h) * d_k, d_k);
    for (Index k = 0; k < rows; ++k)
      make_ready<float>(input, linear::part_of(w.gain_Q, h * d_k, d_k), k * stride, Q.row(k));
    make_ready<float>(input, linear::part_of(w.gain_K, input.kv_head(h) * d_k, d_k), 0, K);
    Mat<float> scores(1, n);
    for (Index k = 0; k < rows; ++k) {
      scores::forward<float>(Q.row(k), K, input.score_rule(h), input.mask, k * stride, scores);
      for (Index key = 0; key < n; ++key) sums.add(scores(0, key));
    }
  }
  return sums.deviation();
}

}  // namespace hydra

#include "core/analysis/score_spread.h"

#include <cmath>
#include <limits>

#include "core/attention/stages.h"
#include "core/ops/linear.h"

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

Mat<float> projected(MatIn<float> X, const Array<float>& W, const Array<float>& b) {
  Mat<float> out(X.rows(), W.cols());
  linear::forward<float>(X, W, linear::part_of(b, 0, W.cols()), out);
  return out;
}

// Of one query: alone(h, half, out) are the scores of a head alone, out of which those that softmax sees are made, and
// add(h, score) takes each of them.
template <class Alone, class Add>
void add_query(const LayerInput<float>& input, Index row, const Alone& alone, Mat<float>& scores, const Add& add) {
  const bool talk = talk_before(input.settings);
  for (Index h = 0; input.settings.differential && h < input.heads; ++h) {
    alone(h, Half::second, MatOut<float>(scores.row(h)));
    for (Index key = 0; key < input.n(); ++key) add(h, scores(h, key));
  }
  for (Index h = 0; h < input.heads; ++h) alone(h, half_of_scores(input.settings), MatOut<float>(scores.row(h)));
  Mat<float> heard(1, input.n());
  for (Index h = 0; h < input.heads; ++h) {
    const auto part = [&](Index l) -> MatView<float> { return scores.row(l); };
    if (talk) mix_scores_across_heads<float>(input, h, row, part, heard);
    const MatView<float> seen = talk ? MatView<float>(heard) : part(h);
    for (Index key = 0; key < input.n(); ++key) add(h, seen(0, key));  // masked ones are -inf
  }
}

// add(h, score) takes each score that counts, head after head where scores are kept; where they are not, those of the
// queries that count are recomputed.
template <class Add>
void for_scores(const LayerTrace<float>& layer, const Add& add) {
  const LayerInput<float>& input = layer.input;
  if (input.keep_all) {
    for (Index h = 0; h < input.heads; ++h) {
      const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
      for (Index row = 0; row < input.n(); row += stride_of(input))
        for (const Array<float>& scores : {head.scores, head.scores_2})
          for (Index key = 0; scores && key < input.n(); ++key) add(h, (*scores)(row, key));  // masked: -inf
    }
    return;
  }
  Mat<float> scores(input.heads, input.n());
  for (Index row = 0; row < input.n(); row += stride_of(input))
    add_query(
        input, row,
        [&](Index h, Half half, MatOut<float> out) {
          const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
          score<float>(input, *head.asking(), *head.asked(), h, row, out, half);
        },
        scores, add);
}

}  // namespace

double score_spread(const LayerTrace<float>& layer) {
  Sums sums;
  for_scores(layer, [&](Index, float score) { sums.add(score); });
  return sums.deviation();
}

std::vector<double> score_spreads(const LayerTrace<float>& layer) {
  std::vector<Sums> sums(layer.heads.size());
  for_scores(layer, [&](Index h, float score) { sums[static_cast<std::size_t>(h)].add(score); });
  std::vector<double> spreads;
  for (const Sums& head : sums) spreads.push_back(head.deviation());
  return spreads;
}

double score_spread(const LayerInput<float>& input) {
  const AttentionWeights<float>& w = input.weights;
  const Index n = input.n(), d_k = input.d_k(), stride = stride_of(input), rows = (n + stride - 1) / stride;
  Mat<float> asking(rows, input.d_model());
  for (Index k = 0; k < rows; ++k) asking.row(k) = input.X->row(k * stride);
  Sums sums;
  Mat<float> Q = projected(asking, w.W_Q, w.b_Q), K = projected(*input.X, w.W_K, w.b_K), scores(input.heads, n);
  for (Index k = 0; k < rows; ++k) norm_and_rotate<float>(input, w.gain_Q, 0, k * stride, Q.row(k));
  norm_and_rotate<float>(input, w.gain_K, 0, 0, K);
  for (Index k = 0; k < rows; ++k)
    add_query(
        input, k * stride,
        [&](Index h, Half half, MatOut<float> out) {
          const Range cols = columns_of(half, d_k);
          scores::forward<float>(Q.block(k, h * d_k + cols.first, 1, cols.count()),
                                 K.middleCols(input.kv_head(h) * d_k + cols.first, cols.count()), input.score_rule(h),
                                 input.mask_of(h), k * stride, out);
        },
        scores, [&](Index, float score) { sums.add(score); });
  return sums.deviation();
}

}  // namespace hydra

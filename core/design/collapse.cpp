#include "core/design/collapse.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/attention/stages.h"
#include "core/linalg/random.h"
#include "core/linalg/same_bits.h"
#include "core/ops/differ.h"
#include "core/ops/linear.h"
#include "core/ops/norm.h"
#include "core/ops/rotate.h"
#include "core/ops/scores.h"
#include "core/ops/softmax.h"
#include "core/ops/talk.h"

namespace hydra {

namespace {

// The attention of a head; rows that are not finite, which do not count, are 0.
template <class S>
Mat<double> counting_pattern(const Array<S>& attention) {
  Mat<double> pattern = attention->template cast<double>();
  for (Index i = 0; i < pattern.rows(); ++i)
    if (!pattern.row(i).allFinite()) pattern.row(i).setZero();
  return pattern;
}

// All heads' patterns u_i = a_i / |a_i|, and their sum: the sum over pairs of u_i . u_g is (|U|^2 - h) / 2.
struct Directions {
  std::vector<double> sizes;  // |a_i|; a head that attends to nothing has 0 and is in no pair
  Mat<double> sum;            // U [n x n]
  double heads = 0;           // that are in pairs
  double pairs() const { return heads * (heads - 1) / 2; }
  double mean() const { return (sum.squaredNorm() - heads) / (2 * pairs()); }
};

template <class S>
Directions directions(const LayerTrace<S>& layer) {
  Directions all;
  all.sum.setZero(layer.input.n(), layer.input.n());
  for (const HeadTrace<S>& head : layer.heads) {
    const Mat<double> pattern = counting_pattern(head.attention);
    const double size = pattern.norm();
    all.sizes.push_back(size);
    if (size > 0) all.sum += pattern / size, ++all.heads;
  }
  return all;
}

// The mean cosine alone; NaN without a pair.
double mean_cosine(const LayerTrace<float>& layer) {
  const Directions all = directions(layer);
  return all.pairs() > 0 ? all.mean() : std::numeric_limits<double>::quiet_NaN();
}

// Puts 0 where slices do not read the weight.
void restrict_to_split(Mat<float>& gradient, Split split, Index d_k) {
  if (split == Split::projection) return;
  for (Index row = 0; row < gradient.rows(); ++row)
    for (Index col = 0; col < gradient.cols(); ++col)
      if (!reads(split, d_k, row, col)) gradient(row, col) = 0;
}

Array<float> moved(const Array<float>& bias, const RowVec<float>& gradient, float length) {
  return bias ? share_columns(Mat<float>(bias->row(0) - length * gradient)) : nullptr;
}

LayerInput<float> moved(const LayerInput<float>& input, const PatternCosine<float>& slope, float length) {
  LayerInput<float> there = input;
  there.weights.W_Q = share_columns(Mat<float>(*input.weights.W_Q - length * slope.W_Q));
  there.weights.W_K = share_columns(Mat<float>(*input.weights.W_K - length * slope.W_K));
  there.weights.b_Q = moved(input.weights.b_Q, slope.b_Q, length);
  there.weights.b_K = moved(input.weights.b_K, slope.b_K, length);
  return there;
}

// Adds a little to the W_Q, and to the W_K when it is its own, of every head whose pattern is, to the last bit, that of
// a head before it. Says whether there was one.
bool part_equal_heads(LayerInput<float>& input, const LayerTrace<float>& layer, std::uint64_t seed) {
  constexpr double kShare = 0.05;  // of the size that Xavier weights have
  const Index d_model = input.d_model(), d_k = input.d_k();
  const double size = kShare * std::sqrt(3.0 / static_cast<double>(d_model));
  Mat<float> W_Q = *input.weights.W_Q, W_K = *input.weights.W_K;
  Random random(seed);
  bool found = false;
  for (std::size_t h = 1; h < layer.heads.size(); ++h) {
    bool equal = false;
    for (std::size_t g = 0; g < h && !equal; ++g) equal = same_bits(layer.heads[h].attention, layer.heads[g].attention);
    if (!equal) continue;
    found = true;
    const auto head = static_cast<Index>(h);
    const auto part = [&](Mat<float>& W, Index first) {
      for (Index row = 0; row < d_model; ++row)
        for (Index col = first; col < first + d_k; ++col) {
          const auto step = static_cast<float>(random.uniform(-size, size));
          if (reads(input.split, d_k, row, col)) W(row, col) += step;
        }
    };
    part(W_Q, head * d_k);
    if (!input.key_groups().shares()) part(W_K, head * d_k);  // shared keys would move together
  }
  if (found) input.weights.W_Q = share_columns(std::move(W_Q)), input.weights.W_K = share_columns(std::move(W_K));
  return found;
}

// The mean over heads of their blocks of d_k columns or rows of W.
Mat<float> mean_block(MatIn<float> W, Index d_k, bool columns) {
  const Index blocks = (columns ? W.cols() : W.rows()) / d_k;
  Mat<double> sum = Mat<double>::Zero(columns ? W.rows() : d_k, columns ? d_k : W.cols());
  for (Index h = 0; h < blocks; ++h)
    sum += columns ? Mat<double>(W.middleCols(h * d_k, d_k).cast<double>())
                   : Mat<double>(W.middleRows(h * d_k, d_k).cast<double>());
  return (sum / static_cast<double>(blocks)).cast<float>();
}

Array<float> towards_mean(const Array<float>& W, Index d_k, float amount, bool columns) {
  if (!W) return nullptr;
  const Index across = columns ? 1 : W->rows() / d_k, along = columns ? W->cols() / d_k : 1;
  Mat<float> mean = mean_block(*W, d_k, columns).replicate(across, along);
  if (amount != 1) mean = (1 - amount) * *W + amount * mean;
  return columns ? share_columns(std::move(mean)) : share_rows(std::move(mean));
}

}  // namespace

AttentionWeights<float> towards_mean(const AttentionWeights<float>& weights, Index heads, float amount) {
  if (amount == 0) return weights;
  const Index d_k = weights.W_Q.cols() / heads;
  AttentionWeights<float> moved = weights;
  for (Array<float>* W : {&moved.W_Q, &moved.W_K, &moved.W_V}) *W = towards_mean(*W, d_k, amount, true);
  moved.W_O = towards_mean(weights.W_O, d_k, amount, false);
  for (Array<float>* b : {&moved.b_Q, &moved.b_K, &moved.b_V, &moved.gain_Q, &moved.gain_K, &moved.W_G, &moved.gain_O})
    *b = towards_mean(*b, d_k, amount, true);
  // A column of each head, in models that have such.
  for (Array<float>* of_heads : {&moved.sink, &moved.w_G}) *of_heads = towards_mean(*of_heads, 1, amount, true);
  for (Array<float>* P : {&moved.P_L, &moved.P_W, &moved.offset_bias})
    *P = towards_mean(*P, 1, amount, false);  // a row of each
  return moved;
}

namespace {

// The derivatives by the heads' queries or keys, side by side, before they are normalised and rotated, from those after
// it.
template <class S>
void make_back(const LayerInput<S>& input, MatIn<S> before, const Array<S>& gain, Mat<S>& d) {
  const Index d_k = input.d_k();
  Mat<S> after;
  const auto begin_anew = [&] { after = d, d.setZero(); };
  if (input.settings.rotary) {
    begin_anew();
    for (Index first = 0; first < d.cols(); first += d_k)
      rotate::grad_X<S>(after.middleCols(first, d_k), rotate::rotation_of(input.settings, d_k), 0,
                        d.middleCols(first, d_k));
  }
  if (input.settings.qk_norm) {
    begin_anew();
    norm::grad_X<S>(before, *gain, NormKind::rms, input.settings.norm_epsilon, after, d,
                    norms_all_heads(input.settings) ? 1 : d.cols() / d_k * query_parts(input.settings));
  }
}

// From the derivatives by what heads hear, one of each, those by what each has alone.
void hear_back(MatIn<double> P, std::vector<Mat<double>>& d) {
  const std::vector<Mat<double>> heard = d;
  for (std::size_t l = 0; l < d.size(); ++l) {
    d[l].setZero();
    for (std::size_t h = 0; h < d.size(); ++h)
      talk::grad_X<double>(P(static_cast<Index>(h), static_cast<Index>(l)), heard[h], d[l]);
  }
}

// The derivatives of the mean cosine by every head's scores, as it has them alone: of differential attention those by
// the first, and by the second.
struct ByScores {
  std::vector<Mat<double>> first, second;
};
template <class S>
ByScores by_scores(const LayerTrace<S>& layer, const Directions& all) {
  const LayerInput<S>& input = layer.input;
  ByScores by;
  std::vector<Mat<double>>& d = by.first;
  for (std::size_t k = 0; k < layer.heads.size(); ++k) {
    const Mat<double> pattern = counting_pattern(layer.heads[k].attention);
    d.emplace_back(Mat<double>::Zero(pattern.rows(), pattern.cols()));
    if (!(all.sizes[k] > 0)) continue;
    // Of U . u_i, the part of U along u_i does not turn u_i.
    const Mat<double> direction = pattern / all.sizes[k];
    const double along = all.sum.cwiseProduct(direction).sum();
    d.back() = (all.sum - along * direction) / (all.sizes[k] * all.pairs());
    if (const PaintedHead<S>* by_hand = painted_head(input.painted, static_cast<Index>(k)))
      painted::grad<S>(by_hand->attention, d.back());
  }
  const bool before = talk_before(input.settings), after = talk_after(input.settings);
  const bool differential = input.settings.differential;
  const auto through_softmax = [&](Quantity weights, std::vector<Mat<double>>& slopes) {
    for (std::size_t k = 0; k < slopes.size(); ++k)
      softmax::grad<double>(
          counting_pattern(weights == Quantity::attention ? layer.heads[k].attention
                                                          : pattern_once(layer, weights, static_cast<Index>(k))),
          slopes[k], slopes[k]);
  };
  if (after) hear_back(input.weights.P_W->template cast<double>(), d);
  if (differential) {
    for (const Mat<double>& slope : d)
      differ::grad_second<double>(static_cast<double>((*layer.lambda)(0, 0)), slope,
                                  by.second.emplace_back(Mat<double>::Zero(slope.rows(), slope.cols())));
    through_softmax(Quantity::attention_2, by.second);
  }
  through_softmax(after || differential ? Quantity::own_attention : Quantity::attention, d);
  if (before) hear_back(input.weights.P_L->template cast<double>(), d);
  return by;
}

// From the derivatives by one of a head's scores, as doubles, those by its queries and keys, added to what stands
// there.
template <class S>
void scores_back(const LayerTrace<S>& layer, std::size_t k, Quantity scores, Half half, const Mat<double>& slope,
                 MatOut<S> dQ, MatOut<S> dK) {
  const LayerInput<S>& input = layer.input;
  const HeadTrace<S>& head = layer.heads[k];
  const auto h = static_cast<Index>(k);
  const Range cols = columns_of(half, input.d_k());
  Mat<S> dS = slope.template cast<S>();
  if (input.settings.soft_cap != 0) scores::grad_cap<S>(*pattern_once(layer, scores, h), input.score_rule(h), 0, dS);
  scores::grad_Q<S>(head.asked()->middleCols(cols.first, cols.count()), input.score_factor(h), dS,
                    dQ.middleCols(cols.first, cols.count()));
  scores::grad_K<S>(head.asking()->middleCols(cols.first, cols.count()), input.score_factor(h), dS,
                    dK.middleCols(cols.first, cols.count()));
}

}  // namespace

template <class S>
PatternCosine<S> mean_pattern_cosine(const LayerTrace<S>& layer) {
  const LayerInput<S>& input = layer.input;
  const Index d_model = input.d_model(), d_k = input.d_k();
  PatternCosine<S> result;
  result.W_Q.setZero(d_model, input.concat_width());
  result.W_K.setZero(d_model, input.kv_width());
  if (input.weights.b_Q) result.b_Q.setZero(input.concat_width());
  if (input.weights.b_K) result.b_K.setZero(input.kv_width());
  const Directions all = directions(layer);
  result.value = static_cast<S>(all.pairs() > 0 ? all.mean() : std::numeric_limits<double>::quiet_NaN());
  if (!(all.pairs() > 0)) return result;

  const ByScores slopes = by_scores(layer, all);
  const Quantity alone = talk_before(input.settings) ? Quantity::own_scores : Quantity::scores;
  Mat<S> dQ = Mat<S>::Zero(input.n(), input.concat_width()), dK = Mat<S>::Zero(input.n(), input.kv_width());
  Mat<S> Q = dQ, K = dK;  // of all heads, side by side
  for (std::size_t k = 0; k < layer.heads.size(); ++k) {
    const Index first = static_cast<Index>(k) * d_k, kv_first = input.kv_head(static_cast<Index>(k)) * d_k;
    Q.middleCols(first, d_k) = *layer.heads[k].Q, K.middleCols(kv_first, d_k) = *layer.heads[k].K;
    const MatOut<S> by_Q = dQ.middleCols(first, d_k), by_K = dK.middleCols(kv_first, d_k);
    scores_back<S>(layer, k, alone, half_of_scores(input.settings), slopes.first[k], by_Q, by_K);
    if (input.settings.differential)
      scores_back<S>(layer, k, Quantity::scores_2, Half::second, slopes.second[k], by_Q, by_K);
  }
  make_back<S>(input, Q, input.weights.gain_Q, dQ);
  make_back<S>(input, K, input.weights.gain_K, dK);
  linear::grad_W<S>(*input.X, dQ, result.W_Q);
  linear::grad_W<S>(*input.X, dK, result.W_K);
  if (input.weights.b_Q) linear::grad_b<S>(dQ, result.b_Q);
  if (input.weights.b_K) linear::grad_b<S>(dK, result.b_K);
  return result;
}

template PatternCosine<float> mean_pattern_cosine(const LayerTrace<float>&);
template PatternCosine<double> mean_pattern_cosine(const LayerTrace<double>&);

Repelled repel(const LayerInput<float>& input, int steps, std::uint64_t seed) {
  // Shares of the weights' size.
  constexpr std::array<float, 6> kLengths{0.2f, 0.1f, 0.05f, 0.02f, 0.007f, 0.002f};
  LayerTrace<float> layer = forward<float>(input);
  Repelled result{input.weights, mean_cosine(layer), 0, 0};
  result.after = result.before;
  if (!std::isfinite(result.before) || steps <= 0) return result;

  LayerInput<float> here = input;
  if (part_equal_heads(here, layer, seed)) layer = forward<float>(here, &layer);
  double value = mean_cosine(layer);
  int taken = 0;
  for (; taken < steps; ++taken) {
    PatternCosine<float> slope = mean_pattern_cosine(layer);
    for (Mat<float>* W : {&slope.W_Q, &slope.W_K}) restrict_to_split(*W, input.split, input.d_k());
    const float steep = std::hypot(slope.W_Q.norm(), slope.W_K.norm(), slope.b_Q.norm() + slope.b_K.norm());
    const float size = std::hypot(here.weights.W_Q->norm(), here.weights.W_K->norm());
    if (!(steep > 0) || !std::isfinite(size / steep)) break;
    std::optional<LayerTrace<float>> best;
    for (const float length : kLengths) {
      LayerTrace<float> there = forward<float>(moved(here, slope, length * size / steep), &layer);
      const double reached = mean_cosine(there);
      if (!(reached < value)) continue;
      value = reached;
      best = std::move(there);
    }
    if (!best) break;
    layer = std::move(*best);
    here = layer.input;
  }
  if (!(value < result.before)) return result;
  result.weights = here.weights;
  result.after = value;
  result.steps = taken;
  return result;
}

}  // namespace hydra

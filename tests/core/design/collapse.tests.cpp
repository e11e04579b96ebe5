// Collapse: heads moved to their mean, the gradient of the mean cosine against finite differences, repelling.
#include "core/design/collapse.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/likeness/diversity.h"
#include "core/analysis/likeness/likeness.h"
#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

double measured(const LayerInput<float>& input) {
  LikenessMatrices matrices;
  matrices.set({forward<float>(input)});
  return mean_pairwise(matrices.matrix(Likeness::cosine));
}

// What can be set about a layer: a mask, no scale, a temperature, painted rows, shared keys.
template <class S>
LayerInput<S> adorned(Random& random, Index n, Index d_model, Index heads, int kind) {
  LayerInput<S> input =
      random_layer<S>(random, n, d_model, heads, kind % 2 == 1, kind == 4 ? heads / std::max<Index>(1, heads / 2) : 1,
                      kind == 1 || kind == 4 ? 3 : 0);
  if (kind == 1) input.mask = causal_mask();
  if (kind == 2) input.mask = random_mask(random, n);
  if (kind == 2) input.settings.scale = false;
  if (kind == 3) input.settings.temperature = static_cast<S>(0.6);
  if (kind == 3) {
    input.painted.resize(static_cast<std::size_t>(heads));
    RowVec<S> row = RowVec<S>::Zero(n);
    row(n - 1) = 1;
    input.painted[0].attention = {{1, share(RowVec<S>(row))}};
    input.painted[1].attention = {{0, share(RowVec<S>(row))}, {1, share(RowVec<S>(row))}};
  }
  return input;
}

template <class S>
double entry_slope(LayerInput<S> input, Array<S> AttentionWeights<S>::*W, Index row, Index col) {
  const double step = 1e-5;
  double values[2];
  const Mat<S> before = *(input.weights.*W);
  for (const int side : {0, 1}) {
    Mat<S> moved = before;
    moved(row, col) += side == 0 ? -step : step;
    input.weights.*W = share(std::move(moved));
    values[side] = mean_pattern_cosine(forward<S>(input)).value;
  }
  return (values[1] - values[0]) / (2 * step);
}

}  // namespace

TEST_CASE("collapse: amount 0 gives the very same weights, 1 equal heads", "[core][design][collapse]") {
  Random random(1);
  LayerInput<float> input = random_layer<float>(random, 7, 24, 4, true);
  const AttentionWeights<float> none = towards_mean(input.weights, 4, 0), all = towards_mean(input.weights, 4, 1),
                                half = towards_mean(input.weights, 4, 0.5f);
  CHECK(none.W_Q == input.weights.W_Q);
  CHECK(none.W_O == input.weights.W_O);
  CHECK(none.b_K == input.weights.b_K);
  CHECK(all.b_O == input.weights.b_O);
  const double before = measured(input);
  input.weights = half;
  const double between = measured(input);
  input.weights = all;
  const LayerTrace<float> layer = forward<float>(input);
  for (std::size_t h = 1; h < 4; ++h)
    for (const auto stage : {&HeadTrace<float>::attention, &HeadTrace<float>::output, &HeadTrace<float>::contribution})
      CHECK(same_bits<float>(layer.heads[h].*stage, layer.heads[0].*stage));
  CHECK(before < between);
  CHECK(between < 1);
  CHECK(measured(input) == 1);
  LikenessMatrices matrices;
  matrices.set({layer});
  CHECK(effective_heads(matrices.pattern_gram()) == Approx(1));

  AttentionWeights<float> w;
  w.W_Q = w.W_K = w.W_V = w.W_O = share(Mat<float>((Mat<float>(2, 2) << 1, 3, 5, 9).finished()));
  const AttentionWeights<float> moved = towards_mean(w, 2, 0.5f);
  CHECK(*moved.W_Q == (Mat<float>(2, 2) << 1.5, 2.5, 6, 8).finished());  // means of columns 2 and 7
  CHECK(*moved.W_O == (Mat<float>(2, 2) << 2, 4.5, 4, 7.5).finished());  // of rows 3 and 6
  CHECK(moved.b_Q == nullptr);
}

TEST_CASE("collapse: the mean cosine is that of likeness", "[core][design][collapse]") {
  Random random(2);
  for (const int kind : {0, 1, 2, 3, 4}) {
    const LayerInput<float> input = adorned<float>(random, 6, 12, 3, kind);
    CAPTURE(kind);
    CHECK(mean_pattern_cosine(forward<float>(input)).value == Approx(measured(input)).epsilon(1e-6));
  }
  CHECK(std::isnan(mean_pattern_cosine(forward<float>(random_layer<float>(random, 4, 6, 1))).value));
}

TEST_CASE("collapse: the gradient is that of finite differences", "[core][design][collapse]") {
  using Weights = AttentionWeights<double>;
  Random random(3);
  for (const int kind : {0, 1, 2, 3, 4, 5, 6}) {
    const Index heads = kind > 4 ? 2 : 4;  // differential: halves of two numbers
    LayerInput<double> input = adorned<double>(random, 5, 8, heads, kind);
    if (kind == 3) input.settings.soft_cap = 0.8, input.settings.alibi = true;
    if (kind > 1) input.settings.rotary = true;
    if (kind > 2) {
      input.settings.sink = SinkKind::learned;
      input.weights.sink = random_bias<double>(random, heads);
      input.settings.qk_norm = true;
      input.weights.gain_Q = random_bias<double>(random, input.concat_width());
      input.weights.gain_K = random_bias<double>(random, input.kv_width());
    }
    if (kind > 4) {
      if (kind == 6) input.settings.soft_cap = 0.8;
      input.settings.differential = true;
      AttentionWeights<double>& w = input.weights;
      for (Array<double>* row : {&w.lambda_q1, &w.lambda_k1, &w.lambda_q2, &w.lambda_k2})
        *row = random_bias<double>(random, 2);
      w.gain_O = random_bias<double>(random, 8);
    }
    if (kind % 2 == 0 && kind > 0 && kind < 5) {
      input.settings.talking_heads = kind == 2 ? TalkingHeads::after : TalkingHeads::both;
      input.weights.P_L = share_rows(random_matrix<double>(random, 4, 4));
      input.weights.P_W = share_rows(random_matrix<double>(random, 4, 4));
    }
    const PatternCosine<double> slope = mean_pattern_cosine(forward<double>(input));
    CHECK(slope.W_K.cols() == input.kv_width());
    double steepest = 0;
    for (Index row = 0; row < 8; ++row)
      for (Index col = 0; col < slope.W_Q.cols(); ++col) {
        CAPTURE(kind, row, col);
        CHECK(slope.W_Q(row, col) == Approx(entry_slope(input, &Weights::W_Q, row, col)).epsilon(1e-6).margin(1e-9));
        if (col < slope.W_K.cols())
          CHECK(slope.W_K(row, col) == Approx(entry_slope(input, &Weights::W_K, row, col)).epsilon(1e-6).margin(1e-9));
        steepest = std::max(steepest, std::abs(slope.W_Q(row, col)));
      }
    CHECK(steepest > 1e-3);
    if (kind % 2 == 0) {
      CHECK(slope.b_Q.size() == 0);
      continue;
    }
    for (Index col = 0; col < slope.b_Q.cols(); ++col) {
      double values[2];
      LayerInput<double> moved = input;
      for (const int side : {0, 1}) {
        RowVec<double> b = *input.weights.b_Q;
        b(col) += side == 0 ? -1e-5 : 1e-5;
        moved.weights.b_Q = share(std::move(b));
        values[side] = mean_pattern_cosine(forward<double>(moved)).value;
      }
      CHECK(slope.b_Q(col) == Approx((values[1] - values[0]) / 2e-5).epsilon(1e-6).margin(1e-9));
    }
    // Of keys that are neither rotated nor normalised it adds the same to a whole row of scores.
    if (kind < 2) CHECK(slope.b_K.cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("collapse: repelling lowers the mean cosine and leaves the rest alone", "[core][design][collapse]") {
  Random random(4);
  for (const int kind : {0, 1, 2, 3, 4}) {
    const LayerInput<float> input = adorned<float>(random, 8, 16, 4, kind);
    const Repelled repelled = repel(input, 5, 1);
    CAPTURE(kind);
    CHECK(repelled.before == Approx(measured(input)).epsilon(1e-9));
    CHECK(repelled.after < repelled.before - 0.02);
    CHECK(repelled.steps >= 1);
    CHECK(repelled.steps <= 5);
    LayerInput<float> there = input;
    there.weights = repelled.weights;
    CHECK(measured(there) == Approx(repelled.after).epsilon(1e-9));
    CHECK(repelled.weights.W_V == input.weights.W_V);
    CHECK(repelled.weights.W_O == input.weights.W_O);
    CHECK(repel(input, 10, 1).after <= repelled.after);
    CHECK(same_bits<float>(repel(input, 5, 1).weights.W_Q, repelled.weights.W_Q));
  }
}

TEST_CASE("collapse: heads that are exactly alike part, what cannot part stays", "[core][design][collapse]") {
  Random random(5);
  LayerInput<float> input = random_layer<float>(random, 8, 16, 4);
  input.weights = towards_mean(input.weights, 4, 1);
  const Repelled parted = repel(input, 10, 7);
  CHECK(parted.before == Approx(1));
  CHECK(parted.after < 0.9);
  input.weights.W_Q = input.weights.W_K = share(Mat<float>(Mat<float>::Zero(16, 16)));
  CHECK(repel(input, 10, 7).after < 0.99);

  LayerInput<float> word = random_layer<float>(random, 1, 16, 4);
  const Repelled stays = repel(word, 10, 7);
  CHECK(stays.weights.W_Q == word.weights.W_Q);
  CHECK(stays.steps == 0);
  CHECK(stays.after == stays.before);
  CHECK(repel(random_layer<float>(random, 5, 16, 1), 3, 1).steps == 0);
}

TEST_CASE("collapse: repelling keeps to what slices read", "[core][design][collapse]") {
  Random random(6);
  LayerInput<float> input = random_layer<float>(random, 8, 16, 4);
  input.weights = towards_mean(input.weights, 4, 1);
  input.split = Split::slice;
  input.weights = restricted(input.weights, 4, Split::slice);
  const Repelled repelled = repel(input, 5, 1);
  CHECK(repelled.after < repelled.before);
  CHECK(same_bits<float>(*repelled.weights.W_Q, *sliced(repelled.weights.W_Q, 4)));
  CHECK(same_bits<float>(*repelled.weights.W_K, *sliced(repelled.weights.W_K, 4)));
}

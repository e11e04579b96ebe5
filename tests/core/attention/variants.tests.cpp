// The variants of attention that are a switch each: worked by hand, and the laws that each is made for.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <set>

#include "core/attention/tiles.h"
#include "core/ops/gate.h"
#include "core/ops/norm.h"
#include "core/ops/rotate.h"
#include "core/ops/softmax.h"
#include "core/ops/talk.h"
#include "core/text/wording.h"
#include "tests/support/models/layers.h"
#include "tests/support/other_computations.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using D = Mat<double>;

// Each token the same word, without positions.
LayerInput<double> equal_words(Random& random, Index n, Index d_model, Index heads) {
  LayerInput<double> input = random_layer<double>(random, n, d_model, heads, true);
  input.X = share(D(input.X->row(0).replicate(n, 1)));
  return input;
}

double slope(Index head, Index heads, AlibiSlopes slopes) { return scores::slope_of(head, heads, slopes).value(); }

}  // namespace

TEST_CASE("variants: a rotation by a right angle, by hand", "[core][ops][variants]") {
  // base^(-2j/width): 1 and 1/10 at a base of 100 and a width of 4; at place p they turn by p and p / 10.
  const D X = matrix({{1, 2, 3, 4, 5}});
  rotate::Rotation by{100, 4, RotaryPairs::halves};
  CHECK(rotate::frequency(by, 0) == 1);
  CHECK(rotate::frequency(by, 1) == Approx(0.1));
  D Y(1, 5);
  rotate::forward<double>(X, by, 0, Y);
  CHECK(Y == X);  // the first place is not rotated
  // A pair that is rotated by a right angle: (a, b) is (-b, a). A base of (2 / pi)^2 lets pair 1 of 4 rotate so in a
  // step.
  by = {std::pow(2 / std::numbers::pi, 2), 4, RotaryPairs::halves};
  rotate::forward<double>(X, by, 1, Y);
  const double c = std::cos(1), s = std::sin(1);
  CHECK(Y.isApprox(matrix({{c - 3 * s, -4, s + 3 * c, 2, 5}}), 1e-14));
  by.pairs = RotaryPairs::neighbours;
  rotate::forward<double>(X, by, 1, Y);
  CHECK(Y.isApprox(matrix({{c - 2 * s, s + 2 * c, -4, 3, 5}}), 1e-14));
  CHECK(rotate::partner_of(by, 3) == 2);
  CHECK(rotate::partner_of(by, 4) == 4);
}

TEST_CASE("variants: frequencies of scaled rotations, by hand", "[core][ops][variants]") {
  rotate::Rotation by{10000, 8, RotaryPairs::halves};  // 1, 0.1, 0.01, 0.001
  const auto frequencies = [&] {
    std::vector<double> all;
    for (Index pair = 0; pair < 4; ++pair) all.push_back(rotate::frequency(by, pair));
    return all;
  };
  const auto are = [&](const std::vector<double>& expected) {
    const std::vector<double> all = frequencies();
    for (std::size_t k = 0; k < 4; ++k) CHECK(all[k] == Approx(expected[k]).epsilon(1e-12));
  };
  by.scaling = RotaryScaling::linear, by.factor = 4;
  are({0.25, 0.025, 0.0025, 0.00025});
  // Over so many words the pairs turn 20, 2, 0.2 and 0.02 times. Of 1 to 4 turns 2 are a third of the way.
  by.length = 40 * std::numbers::pi, by.slow = 1, by.fast = 4;
  by.scaling = RotaryScaling::llama3;
  are({1, 0.1 * (2.0 / 3 / 4 + 1.0 / 3), 0.0025, 0.00025});
  // 4 ln(5) / ln(10^4) is 0.70, and 4 ln(200) / ln(10^4) 2.30: the ramp goes from pair 0 to 3.
  by.scaling = RotaryScaling::yarn, by.slow = 0.1;
  are({1, 0.1 * (1.0 / 3 / 4 + 2.0 / 3), 0.01 * (2.0 / 3 / 4 + 1.0 / 3), 0.00025});
}

TEST_CASE("variants: YaRN multiplies what it rotates, by its factor or as it is said", "[core][ops][variants]") {
  LayerSettings settings;
  settings.rotary = true, settings.rotary_width = 2;
  settings.rotary_scaling = RotaryScaling::yarn, settings.rotary_factor = 4;
  const D X = matrix({{3, 4, 5}});
  D Y(1, 3);
  rotate::forward<double>(X, rotate::rotation_of(settings, 3), 0, Y);
  const double m = 0.1 * std::log(4) + 1;
  CHECK(Y.isApprox(matrix({{3 * m, 4 * m, 5}}), 1e-14));
  settings.rotary_magnitude = 0.5;
  rotate::forward<double>(X, rotate::rotation_of(settings, 3), 7, Y);
  CHECK(Y.leftCols(2).norm() == Approx(2.5));
  CHECK(Y(0, 2) == 5);
  settings.rotary_scaling = RotaryScaling::llama3;
  rotate::forward<double>(X, rotate::rotation_of(settings, 3), 7, Y);
  CHECK(Y.leftCols(2).norm() == Approx(5));
  CHECK(rotate::yarn_magnitude(1) == 1);
}

TEST_CASE("variants: a rotation keeps norms, and in its own place gives the same", "[core][ops][variants]") {
  Random random(1);
  for (const RotaryPairs pairs : {RotaryPairs::halves, RotaryPairs::neighbours})
    for (const Index width : {0, 2, 6, 8}) {
      const D X = random_matrix<double>(random, 9, 8);
      D Y(9, 8), in_place = X;
      const rotate::Rotation by{50, width, pairs};
      rotate::forward<double>(X, by, 3, Y);
      rotate::forward<double>(in_place, by, 3, in_place);
      CHECK(Y.rowwise().norm().isApprox(X.rowwise().norm(), 1e-14));
      CHECK(Y == in_place);
      CHECK((width == 0) == (Y == X));
    }
  LayerSettings settings;  // all of an odd number of columns but the last
  CHECK(rotate::rotation_of(settings, 5).width == 4);
  CHECK(rotate::rotation_of(settings, 1).width == 0);
  settings.rotary_width = 2;
  CHECK(rotate::rotation_of(settings, 5).width == 2);
}

TEST_CASE("variants: rotary scores of equal words depend on their distance only", "[core][variants]") {
  Random random(2);
  for (const RotaryPairs pairs : {RotaryPairs::halves, RotaryPairs::neighbours})
    for (const Index width : {0, 2}) {
      LayerInput<double> input = equal_words(random, 12, 12, 2);
      input.settings.rotary = true;
      input.settings.rotary_base = 20;
      input.settings.rotary_width = width;
      input.settings.rotary_pairs = pairs;
      const LayerTrace<double> trace = forward<double>(input);
      for (const HeadTrace<double>& head : trace.heads) {
        const D& S = *head.scores;
        CHECK(S.maxCoeff() - S.minCoeff() > 0.1);
        CHECK(largest_difference(S.bottomRightCorner(11, 11), S.topLeftCorner(11, 11)) < 1e-13);
        CHECK(largest_difference(*head.Q, head.Q->row(0).replicate(12, 1)) == 0);  // before they are rotated
      }
    }
}

TEST_CASE("variants: rotary layers are the same by every way to compute", "[core][variants]") {
  Random random(3);
  for (const Index group : {1, 2}) {
    LayerInput<double> input = random_layer<double>(random, 70, 12, 2, true, group, group == 2 ? 9 : 0);
    input.settings.rotary = true;
    check_other_computations(input);
    input.mask = causal_mask();
    input.settings.rotary_width = 4;
    input.settings.rotary_pairs = RotaryPairs::neighbours;
    check_other_computations(input);
    input.settings.rotary_scaling = RotaryScaling::yarn, input.settings.rotary_length = 50;
    check_other_computations(input);
  }
}

TEST_CASE("variants: queries and keys that are normed over all heads, by hand and by every way to compute",
          "[core][variants]") {
  Random random(31);
  for (const Index group : {1, 2}) {
    LayerInput<double> input = random_layer<double>(random, 70, 12, 4, true, group);
    input.settings.qk_norm = true, input.settings.qk_norm_over = NormOver::all_heads;
    input.weights.gain_Q = share(random_matrix<double>(random, 1, 12));
    input.weights.gain_K = share(random_matrix<double>(random, 1, 12 / group));
    const LayerTrace<double> trace = forward<double>(input);
    const D Q = (*input.X * *input.weights.W_Q).rowwise() + input.weights.b_Q->row(0);
    const D K = (*input.X * *input.weights.W_K).rowwise() + input.weights.b_K->row(0);
    for (const Index i : {0, 33, 69})
      for (Index h = 0; h < 4; ++h) {
        const HeadTrace<double>& head = trace.heads[static_cast<std::size_t>(h)];
        const double root_Q = std::sqrt(Q.row(i).squaredNorm() / 12 + input.settings.norm_epsilon),
                     root_K = std::sqrt(K.row(i).squaredNorm() / static_cast<double>(K.cols()) +
                                        input.settings.norm_epsilon);
        const Index first = 3 * h, kv_first = 3 * (h / group);
        for (Index c = 0; c < 3; ++c) {
          CHECK((*head.normed_Q)(i, c) ==
                Approx(Q(i, first + c) / root_Q * (*input.weights.gain_Q)(0, first + c)).epsilon(1e-12));
          CHECK((*head.normed_K)(i, c) ==
                Approx(K(i, kv_first + c) / root_K * (*input.weights.gain_K)(0, kv_first + c)).epsilon(1e-12));
        }
      }
    check_other_computations(input);
    input.mask = causal_mask();
    input.settings.rotary = true;
    check_other_computations(input);
  }
}

TEST_CASE("variants: a head's scores follow the queries of the others where all are normed as one row",
          "[core][variants]") {
  Random random(32);
  LayerInput<double> input = random_layer<double>(random, 9, 8, 2, false, 1);
  input.settings.qk_norm = true;
  input.weights.gain_Q = input.weights.gain_K = share(D(D::Ones(1, 8)));
  for (const NormOver over : {NormOver::head, NormOver::all_heads}) {
    input.settings.qk_norm_over = over;
    const LayerTrace<double> before = forward<double>(input);
    LayerInput<double> other = input;
    D W = *input.weights.W_Q;
    W.rightCols(4) *= 3;  // of the second head
    other.weights.W_Q = share(W);
    const LayerTrace<double> after = forward<double>(other, &before);
    const bool same = largest_difference(*before.heads[0].scores, *after.heads[0].scores) == 0;
    CHECK(same == (over == NormOver::head));
    CHECK(largest_difference(*after.heads[0].scores, *forward<double>(other).heads[0].scores) == 0);
  }
}

TEST_CASE("variants: normed queries and keys have one size, and their scores are bounded whatever the weights",
          "[core][variants]") {
  Random random(4);
  for (const double size : {0.1, 1.0, 1000.0}) {
    LayerInput<double> input = random_layer<double>(random, 8, 12, 3, true);
    input.weights.W_Q = share_columns(D(size * *input.weights.W_Q));
    input.settings.qk_norm = true;
    input.settings.norm_epsilon = 1e-12;
    input.weights.gain_Q = input.weights.gain_K = share_columns(D(D::Ones(1, 12)));
    for (const HeadTrace<double>& head : forward<double>(input).heads) {
      CHECK(largest_difference(head.normed_Q->rowwise().squaredNorm(), D::Constant(8, 1, 4)) < 1e-6);
      CHECK(head.normed_K->row(3).normalized().isApprox(head.K->row(3).normalized(), 1e-12));
      CHECK(head.scores->cwiseAbs().maxCoeff() <= 2 + 1e-12);  // d_k / sqrt(d_k)
    }
  }
  // By hand: a query of 3 and 1 with an epsilon of 4 has the root 3; its gains are 2 and -1.
  D rows = matrix({{3, 1}});
  norm::forward<double>(rows, matrix({{2, -1}}), D(), NormKind::rms, 4, rows);
  CHECK(rows.isApprox(matrix({{2, -1.0 / 3}}), 1e-14));
}

TEST_CASE("variants: layers with normed queries and keys are the same by every way to compute", "[core][variants]") {
  Random random(5);
  for (const Index group : {1, 2})
    for (const bool rotary : {false, true}) {
      LayerInput<double> input = random_layer<double>(random, 70, 12, 2, true, group, group == 2 ? 5 : 0);
      input.settings.qk_norm = true;
      input.settings.rotary = rotary;
      input.weights.gain_Q = random_bias<double>(random, input.concat_width());
      input.weights.gain_K = random_bias<double>(random, input.kv_width());
      check_other_computations(input);
      input.mask = causal_mask();
      check_other_computations(input);
    }
}

TEST_CASE("variants: a soft cap by hand, and no score exceeds it", "[core][ops][variants]") {
  const D Q = matrix({{1}, {2}}), K = matrix({{3}, {-40}});
  D S(2, 2);
  scores::forward<double>(Q, K, {0.5, 2}, causal_mask(), 0, S);
  CHECK(S(0, 0) == Approx(2 * std::tanh(0.75)));
  CHECK(S(0, 1) == -std::numeric_limits<double>::infinity());  // the mask comes after it
  CHECK(S(1, 0) == Approx(2 * std::tanh(1.5)));
  CHECK(S(1, 1) == Approx(-2));
  Random random(6);
  LayerInput<double> input = random_layer<double>(random, 70, 12, 3, true);
  input.weights.W_Q = share_columns(D(100 * *input.weights.W_Q));
  input.settings.soft_cap = 1.5;
  for (const HeadTrace<double>& head : forward<double>(input).heads) {
    CHECK(head.scores->cwiseAbs().maxCoeff() <= 1.5);
    CHECK(head.attention->maxCoeff() <= std::exp(3) / 70);  // no row is one-hot
  }
  check_other_computations(input);
  input.mask = causal_mask();
  check_other_computations(input);
}

TEST_CASE("variants: ALiBi's slopes, and of equal words each head's horizon", "[core][ops][variants]") {
  for (Index head = 0; head < 8; ++head) CHECK(slope(head, 8, AlibiSlopes::geometric) == std::pow(0.5, head + 1));
  CHECK(slope(0, 16, AlibiSlopes::geometric) == std::sqrt(0.5));
  CHECK(slope(0, 1, AlibiSlopes::geometric) == 1.0 / 256);
  Random random(7);
  LayerInput<double> input = equal_words(random, 10, 8, 2);  // slopes 1/16 and 1/256
  input.mask = causal_mask();
  input.settings.alibi = true;
  const LayerTrace<double> trace = forward<double>(input);
  for (const auto& [head, slope] : {std::pair(0, 1.0 / 16), std::pair(1, 1.0 / 256)}) {
    const D &S = *trace.heads[static_cast<std::size_t>(head)].scores,
            &A = *trace.heads[static_cast<std::size_t>(head)].attention;
    CHECK(S(9, 3) == Approx(S(9, 9) - 6 * slope));
    CHECK(A(9, 3) == Approx(A(9, 9) * std::exp(-6 * slope)));
    CHECK(S(3, 9) == -std::numeric_limits<double>::infinity());
  }
  LayerInput<double> layer = random_layer<double>(random, 200, 12, 3, true);
  layer.mask = causal_mask();
  layer.settings.alibi = true;
  layer.settings.soft_cap = 2;
  check_other_computations(layer);
}

TEST_CASE("variants: ALiBi's slopes of six and twelve heads, by the paper's formula and by the published code",
          "[core][ops][variants]") {
  using enum AlibiSlopes;
  const double six[] = {1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8};
  for (Index head = 0; head < 6; ++head) CHECK(slope(head, 6, interleaved) == six[head]);
  // Of twelve those of eight, then of sixteen the first, third, fifth and seventh: 2^-0.5, 2^-1.5, 2^-2.5, 2^-3.5.
  for (Index head = 0; head < 8; ++head) CHECK(slope(head, 12, interleaved) == std::pow(0.5, head + 1));
  for (Index k = 0; k < 4; ++k) CHECK(slope(8 + k, 12, interleaved) == Approx(std::sqrt(0.5) / std::pow(2, k)));
  CHECK(slope(2, 3, interleaved) == 0.25);
  // By the formula each is the one before times the cube root of 1/16, or of 1/4.
  for (Index head = 0; head < 6; ++head)
    CHECK(slope(head, 6, geometric) == Approx(std::pow(std::cbrt(1.0 / 16), head + 1)));
  for (Index head = 0; head < 12; ++head)
    CHECK(slope(head, 12, geometric) == Approx(std::pow(std::cbrt(1.0 / 4), head + 1)));
}

TEST_CASE("variants: by either rule ALiBi's slopes are the same for a power of two heads, and differ for other numbers",
          "[core][ops][variants]") {
  using enum AlibiSlopes;
  int same = 0;
  for (Index heads = 1; heads <= 128; ++heads) {
    int differ = 0;
    std::set<double> slopes;
    for (Index head = 0; head < heads; ++head) {
      differ += slope(head, heads, interleaved) != slope(head, heads, geometric);
      slopes.insert(slope(head, heads, interleaved));
    }
    INFO(heads);
    CHECK(std::ssize(slopes) == heads);  // a head a slope
    CHECK(*slopes.begin() == 1.0 / 256);
    CHECK((differ == 0) == !makes_difference(entry_of(LayerSetting::alibi_slopes), {4, true, heads}));
    same += differ == 0;
  }
  CHECK(same == 8);  // 1, 2, 4 ... 128
}

TEST_CASE("variants: heads with the published code's slopes are what the definition gives", "[core][variants]") {
  const double slopes[] = {1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8};
  Random random(19);
  LayerInput<double> input = random_layer<double>(random, 9, 12, 6, true);
  input.mask = causal_mask();
  input.settings.alibi = true;
  const LayerTrace<double> by_formula = forward<double>(input);
  input.settings.alibi_slopes = AlibiSlopes::interleaved;
  const LayerTrace<double> trace = forward<double>(input, &by_formula);
  D output = D::Zero(9, 12);
  for (Index h = 0; h < 6; ++h) {
    const auto cols = [&](const Array<double>& W, const Array<double>& b) {
      return D((*input.X * W->middleCols(2 * h, 2)).rowwise() + b->row(0).segment(2 * h, 2));
    };
    const AttentionWeights<double>& w = input.weights;
    const D Q = cols(w.W_Q, w.b_Q), K = cols(w.W_K, w.b_K), V = cols(w.W_V, w.b_V);
    D A = D::Zero(9, 9);
    for (Index i = 0; i < 9; ++i) {
      for (Index j = 0; j <= i; ++j)
        A(i, j) = std::exp(Q.row(i).dot(K.row(j)) / std::sqrt(2) - slopes[h] * static_cast<double>(i - j));
      A.row(i) /= A.row(i).sum();
    }
    CHECK(largest_difference(*trace.heads[static_cast<std::size_t>(h)].attention, A) < 1e-14);
    output += A * V * w.W_O->middleRows(2 * h, 2);
  }
  CHECK(largest_difference(*trace.output, D(output.rowwise() + input.weights.b_O->row(0))) < 1e-13);
  CHECK(largest_difference(*trace.output, *by_formula.output) > 1e-3);
  CHECK(*trace.output == *forward<double>(input).output);  // to the bit what a whole run gives
  CHECK(trace.heads[0].Q.stamp() == by_formula.heads[0].Q.stamp());
  LayerInput<double> layer = random_layer<double>(random, 200, 12, 3, true);
  layer.mask = causal_mask();
  layer.settings.alibi = true;
  layer.settings.alibi_slopes = AlibiSlopes::interleaved;
  layer.settings.soft_cap = 2;
  check_other_computations(layer);
}

TEST_CASE("variants: under a window a query sees itself and so many words less one before it", "[core][variants]") {
  Random random(8);
  LayerInput<double> input = random_layer<double>(random, 70, 12, 3, true);
  input.mask = {Mask::Kind::causal, nullptr, 4};
  for (const HeadTrace<double>& head : forward<double>(input).heads)
    for (Index i = 0; i < 70; ++i)
      for (Index j = 0; j < 70; ++j) REQUIRE(((*head.attention)(i, j) != 0) == (i - 4 < j && j <= i));
  check_other_computations(input);
  input.mask.window = 1;  // itself alone: a head gives its own value
  for (const HeadTrace<double>& head : forward<double>(input).heads)
    CHECK(largest_difference(*head.output, *head.V) < 1e-15);
  // As wide as the sentence it is the causal mask.
  LayerInput<double> all = input;
  input.mask.window = 70;
  all.mask.window = 0;
  CHECK(*forward<double>(input).output == *forward<double>(all).output);
}

TEST_CASE("variants: a sink that swallows half, by hand", "[core][ops][variants]") {
  constexpr double masked = -std::numeric_limits<double>::infinity();
  const D S = matrix({{0, std::log(2.0), masked}, {masked, masked, masked}, {1000, -1000, 0}});
  D A(3, 3);
  softmax::forward<double>(S, A, std::log(3.0));  // 1 and 2 beside 3
  CHECK(A.row(0).isApprox(matrix({{1.0 / 6, 1.0 / 3, 0}})));
  CHECK(A.row(1).isZero(0));  // nothing to attend to
  CHECK(A.row(2) == matrix({{1, 0, 0}}));
  softmax::forward<double>(matrix({{-1000, -1000, -1000}}), A.topRows(1), 0.0);
  CHECK(A.row(0).isZero(0));  // says nothing
  D plain(3, 3);              // A sink far below is none.
  softmax::forward<double>(S, A, -1000.0);
  softmax::forward<double>(S, plain);
  CHECK(A == plain);
}

TEST_CASE("variants: with a sink rows are those without it, times what is left", "[core][variants]") {
  Random random(9);
  for (const SinkKind kind : {SinkKind::zero, SinkKind::learned}) {
    LayerInput<double> input = random_layer<double>(random, 300, 12, 3, true);
    const LayerTrace<double> plain = forward<double>(input);
    input.settings.sink = kind;
    if (kind == SinkKind::learned) input.weights.sink = random_bias<double>(random, 3);
    const LayerTrace<double> trace = forward<double>(input);
    for (Index h = 0; h < 3; ++h) {
      const D &A = *trace.heads[static_cast<std::size_t>(h)].attention,
              &S = *trace.heads[static_cast<std::size_t>(h)].scores;
      const double sink = kind == SinkKind::zero ? 0 : (*input.weights.sink)(0, h);
      const auto sums = S.array().exp().rowwise().sum().eval();
      for (Index i = 0; i < 300; ++i) {
        const double left = sums(i) / (sums(i) + std::exp(sink));
        REQUIRE(A.row(i).sum() == Approx(left));
        REQUIRE(largest_difference(A.row(i), left * plain.heads[static_cast<std::size_t>(h)].attention->row(i)) <
                1e-14);
      }
    }
    check_other_computations(input);
    input.mask = causal_mask();
    check_other_computations(input);
    input.mask = random_mask(random, 300);
    check_other_computations(input);
  }
}

TEST_CASE("variants: the tiles of a query with a sink come to its row and its output", "[core][variants]") {
  Random random(10);
  LayerInput<double> input = random_layer<double>(random, 20, 8, 2, true);
  input.settings.sink = SinkKind::zero;
  const HeadTrace<double> head = forward<double>(input).heads.front();
  const D scores = head.scores->row(7);
  const auto states = running_softmax<double>(scores, *head.V, 20, 6, input.sink(0));
  CHECK(largest_difference(weights_so_far<double>(scores, states.back()), head.attention->row(7)) < 1e-14);
  CHECK(largest_difference(output_so_far<double>(states.back()), head.output->row(7)) < 1e-14);
}

namespace {

// With gates by weights of that size.
LayerInput<double> gated_layer(Random& random, OutputGate kind, Index n, Index group = 1) {
  LayerInput<double> input = random_layer<double>(random, n, 12, 3, true, group, group == 1 ? 0 : 7);
  input.settings.output_gate = kind;
  const bool of_head = kind == OutputGate::head;
  (of_head ? input.weights.w_G : input.weights.W_G) =
      share_columns(random_matrix<double>(random, 12, of_head ? 3 : input.concat_width()));
  return input;
}

}  // namespace

TEST_CASE("variants: gates by hand", "[core][ops][variants]") {
  D G(2, 2), Y(2, 2);
  gate::open<double>(matrix({{1, 0}, {0, 2}}), matrix({{std::log(3.0), 0}, {-1000, -std::log(3.0) / 2}}), G);
  CHECK(G.isApprox(matrix({{0.75, 0.5}, {0, 0.25}}), 1e-14));
  gate::forward<double>(matrix({{8, 2}, {5, -4}}), G, Y);
  CHECK(Y.isApprox(matrix({{6, 1}, {0, -1}}), 1e-14));
  gate::forward<double>(matrix({{8, 2}, {5, -4}}), G.col(0), Y);  // one for all numbers of the row
  CHECK(Y.isApprox(matrix({{6, 1.5}, {0, 0}}), 1e-14));
  Mat<float> in_floats(1, 5);
  gate::open<float>(Mat<float>::Ones(1, 1), (Mat<float>(1, 5) << -200, -3, 0, 2, 200).finished(), in_floats);
  for (const Index k : {1, 2, 3})
    CHECK(in_floats(0, k) == Approx(1 / (1 + std::exp(-static_cast<double>(k == 1   ? -3
                                                                           : k == 2 ? 0
                                                                                    : 2))))
                                 .epsilon(1e-6));
  CHECK(in_floats(0, 0) == 0);
  CHECK(in_floats(0, 4) == 1);
}

TEST_CASE("variants: gates leave patterns as they are, halve at weights of 0, and closed ones silence a head",
          "[core][variants]") {
  Random random(11);
  for (const OutputGate kind : {OutputGate::head, OutputGate::element}) {
    LayerInput<double> input = gated_layer(random, kind, 9), plain = input;
    plain.settings.output_gate = OutputGate::none;
    const LayerTrace<double> gated = forward<double>(input), open = forward<double>(plain);
    for (std::size_t h = 0; h < 3; ++h) {
      CHECK(*gated.heads[h].attention == *open.heads[h].attention);
      CHECK(*gated.heads[h].output == *open.heads[h].output);
      CHECK(*gated.heads[h].gated_output == gated.concat->middleCols(4 * static_cast<Index>(h), 4));
    }
    CHECK(static_cast<bool>(gated.head_gates) == (kind == OutputGate::head));
    CHECK(largest_difference(*gated.output, *open.output) > 0.01);

    Array<double>& W = kind == OutputGate::head ? input.weights.w_G : input.weights.W_G;
    W = share_columns(D(D::Zero(12, W.cols())));
    plain.gates = {0.5, 0.5, 0.5};
    CHECK(largest_difference(*forward<double>(input).output, *forward<double>(plain).output) < 1e-14);

    // Head 2 closed: as it is silenced. What it reads is positive.
    input.X = share(D(input.X->cwiseAbs().array() + 0.1));
    plain.X = input.X;
    D closed = D::Zero(12, W.cols());
    const Index width = W.cols() / 3;
    closed.middleCols(width, width).setConstant(-1000);
    W = share_columns(std::move(closed));
    plain.gates = {0.5, 0, 0.5};
    CHECK(largest_difference(*forward<double>(input).output, *forward<double>(plain).output) < 1e-14);
  }
}

TEST_CASE("variants: gated layers are the same by every way to compute", "[core][variants]") {
  Random random(12);
  for (const OutputGate kind : {OutputGate::head, OutputGate::element})
    for (const Index group : {1, 3}) {
      LayerInput<double> input = gated_layer(random, kind, 300, group);
      input.gates = {1, 0.5, 2};
      check_other_computations(input);
      input.mask = causal_mask();
      input.settings.sink = SinkKind::zero;
      check_other_computations(input);
    }
}

namespace {

LayerInput<double> talking_layer(Random& random, TalkingHeads kind, Index n, Index heads, Index group = 1) {
  LayerInput<double> input = random_layer<double>(random, n, 12, heads, true, group, group == 1 ? 0 : 5);
  input.settings.talking_heads = kind;
  if (talk_before(input.settings)) input.weights.P_L = share_rows(random_matrix<double>(random, heads, heads));
  if (talk_after(input.settings)) input.weights.P_W = share_rows(random_matrix<double>(random, heads, heads));
  return input;
}

constexpr TalkingHeads kTalking[] = {TalkingHeads::before, TalkingHeads::after, TalkingHeads::both};

}  // namespace

TEST_CASE("variants: two heads that talk, by hand", "[core][variants]") {
  // One number a head: scores 2 and 0 of the first head's two keys, 0 and ln 3 of the second's.
  LayerInput<double> input;
  const double ln3 = std::log(3.0);
  input.heads = 2;
  input.settings.scale = false;
  input.X = share(matrix({{1, 1}, {0, 1}}));
  input.weights.W_Q = share(matrix({{2, 0}, {0, ln3}}));
  input.weights.W_K = share(matrix({{1, -1}, {0, 1}}));
  input.weights.W_V = share(matrix({{4, 0}, {0, 8}}));
  input.weights.W_O = share(D(D::Identity(2, 2)));
  input.settings.talking_heads = TalkingHeads::both;
  input.weights.P_L = share_rows(matrix({{1, 1}, {0, 2}}));
  input.weights.P_W = share_rows(matrix({{0.5, -1}, {0, 1}}));
  const LayerTrace<double> trace = forward<double>(input);
  const auto row = [&](const Array<double>& values) { return D(values->row(0)); };
  CHECK(row(trace.heads[0].own_scores).isApprox(matrix({{2, 0}})));
  CHECK(largest_difference(row(trace.heads[1].own_scores), matrix({{0, ln3}})) < 1e-15);
  CHECK(row(trace.heads[0].scores).isApprox(matrix({{2, ln3}})));
  CHECK(largest_difference(row(trace.heads[1].scores), matrix({{0, 2 * ln3}})) < 1e-15);
  const double e = std::exp(2.0) / (std::exp(2.0) + 3);  // of e^2 and 3; of 1 and 9
  CHECK(row(trace.heads[0].own_attention).isApprox(matrix({{e, 1 - e}})));
  CHECK(row(trace.heads[1].own_attention).isApprox(matrix({{0.1, 0.9}})));
  CHECK(row(trace.heads[0].attention).isApprox(matrix({{0.5 * e - 0.1, 0.5 * (1 - e) - 0.9}})));
  CHECK(row(trace.heads[1].attention).isApprox(matrix({{0.1, 0.9}})));
  // V of the first head is 4 and 0, of the second 8 and 8.
  CHECK((*trace.output)(0, 0) == Approx(4 * (0.5 * e - 0.1)));
  CHECK((*trace.output)(0, 1) == Approx(8));
}

TEST_CASE("variants: identity matrices let heads talk and change nothing, to the bit", "[core][variants]") {
  Random random(31);
  for (const bool keep_all : {true, false})
    for (const Mask& mask : {Mask(), causal_mask(), random_mask(random, 130)})
      for (const TalkingHeads kind : kTalking) {
        LayerInput<double> plain = random_layer<double>(random, 130, 12, 3, true);
        plain.mask = mask;
        plain.keep_all = keep_all;
        plain.settings.sink = SinkKind::zero;
        LayerInput<double> talking = plain;
        talking.settings.talking_heads = kind;
        talking.weights.P_L = talking.weights.P_W = share_rows(D(D::Identity(3, 3)));
        const LayerTrace<double> without = forward<double>(plain), with = forward<double>(talking);
        CHECK(*with.output == *without.output);
        for (Index h = 0; h < 3; ++h) {
          CHECK(*with.heads[static_cast<std::size_t>(h)].attention ==
                *without.heads[static_cast<std::size_t>(h)].attention);
          CHECK(*scores_of(with, h) == *scores_of(without, h));
        }
      }
}

TEST_CASE("variants: what heads hear is linear in what each has, and hidden pairs stay hidden", "[core][variants]") {
  Random random(32);
  LayerInput<double> input = talking_layer(random, TalkingHeads::both, 9, 3);
  for (const Mask& mask : {causal_mask(), random_mask(random, 9)}) {
    input.mask = mask;
    const LayerTrace<double> trace = forward<double>(input);
    for (std::size_t h = 0; h < 3; ++h)
      for (Index i = 0; i < 9; ++i)
        for (Index j = 0; j < 9; ++j) {
          double score = 0, weight = 0;
          for (Index l = 0; l < 3; ++l) {
            const HeadTrace<double>& head = trace.heads[static_cast<std::size_t>(l)];
            score += (*input.weights.P_L)(static_cast<Index>(h), l) * (*head.own_scores)(i, j);
            weight += (*input.weights.P_W)(static_cast<Index>(h), l) * (*head.own_attention)(i, j);
          }
          const bool seen = mask.allows(i, j);
          CHECK(std::isinf((*trace.heads[h].scores)(i, j)) == !seen);
          if (seen) CHECK((*trace.heads[h].scores)(i, j) == Approx(score));
          CHECK((*trace.heads[h].attention)(i, j) == Approx(seen ? weight : 0).margin(1e-15));
        }
  }
}

TEST_CASE("variants: talking heads are the same by every way that can compute them, and others say why not",
          "[core][variants]") {
  Random random(33);
  for (const TalkingHeads kind : kTalking)
    for (const Index group : {1, 3}) {
      LayerInput<double> input = talking_layer(random, kind, 70, 3, group);
      check_other_computations(input);
      input.mask = causal_mask();
      input.mask.window = 5;
      input.settings.sink = SinkKind::zero;
      input.settings.alibi = true;
      check_other_computations(input);
      CHECK(bytes_needed(input, 70, Way::combined) == compute<double>(input, Way::combined).peak_bytes);
      CHECK(*why_not(Way::combined, input.settings) == 0);
      CHECK(wording(why_not(Way::tiled, input.settings)).find("heads that talk") == 0);
      CHECK(wording(why_not(Way::per_head, input.settings)).find("heads that talk") == 0);
    }
  CHECK(*why_not(Way::tiled, {}) == 0);
}

TEST_CASE(
    "variants: what changes of heads that talk is shared and made anew to the bits of a whole run, at any number "
    "of threads",
    "[core][variants]") {
  Random random(34);
  for (const bool keep_all : {true, false})
    for (const TalkingHeads kind : kTalking) {
      LayerInput<double> input = talking_layer(random, kind, 150, 3);
      input.keep_all = keep_all;
      LayerTrace<double> trace = forward<double>(input);
      ThreadPool pool(3);
      for (int step = 0; step < 12; ++step) {
        AttentionWeights<double>& w = input.weights;
        Array<double>* choices[] = {&w.W_Q, &w.W_V, talk_before(input.settings) ? &w.P_L : &w.P_W,
                                    talk_after(input.settings) ? &w.P_W : &w.P_L};
        Array<double>& W = *choices[step % 4];
        const Index row = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(W.rows()));
        const Index col = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(W.cols()));
        D values = *W;
        values(row, col) = random.bits() % 3 == 0 ? 0 : random.uniform(-2, 2);
        W = replaced_block(W, std::move(values), row, col, 1, 1);
        trace = forward<double>(input, &trace, step % 2 == 0 ? &pool : nullptr);
        const LayerTrace<double> anew = forward<double>(input);
        REQUIRE(*trace.output == *anew.output);
        for (Index h = 0; h < 3; ++h) {
          const HeadTrace<double>& a = trace.heads[static_cast<std::size_t>(h)];
          const HeadTrace<double>& b = anew.heads[static_cast<std::size_t>(h)];
          REQUIRE(*a.attention == *b.attention);
          REQUIRE(*scores_of(trace, h) == *scores_of(anew, h));
          if (talk_before(input.settings))
            REQUIRE(*pattern_of(trace, Quantity::own_scores, h) == *pattern_of(anew, Quantity::own_scores, h));
          if (talk_after(input.settings))
            REQUIRE(*pattern_of(trace, Quantity::own_attention, h) == *pattern_of(anew, Quantity::own_attention, h));
          if (!keep_all) CHECK(a.largest_score == b.largest_score);
        }
      }
    }
}

TEST_CASE(
    "variants: a weight among heads that talk changes the head that hears, and a head is heard by those alone that "
    "take something of it",
    "[core][variants]") {
  Random random(35);
  LayerInput<double> input = talking_layer(random, TalkingHeads::both, 8, 3);
  D P = D::Identity(3, 3);
  P(2, 0) = 0.5;  // the third hears the first
  input.weights.P_L = share_rows(D(P));
  input.weights.P_W = share_rows(D(D::Identity(3, 3)));
  const LayerTrace<double> before = forward<double>(input);
  const auto same = [&](const LayerTrace<double>& now, std::size_t h) {
    return now.heads[h].attention.stamp() == before.heads[h].attention.stamp();
  };
  LayerInput<double> moved = input;
  D W = *input.weights.W_Q;
  W(1, 2) += 1;  // of the first head
  moved.weights.W_Q = replaced_block(input.weights.W_Q, std::move(W), 1, 2, 1, 1);
  const LayerTrace<double> first = forward<double>(moved, &before);
  CHECK_FALSE(same(first, 0));
  CHECK(same(first, 1));
  CHECK_FALSE(same(first, 2));
  moved = input;
  P(1, 2) = -1;
  moved.weights.P_L = replaced_block(input.weights.P_L, std::move(P), 1, 2, 1, 1);
  const LayerTrace<double> second = forward<double>(moved, &before);
  CHECK(same(second, 0));
  CHECK_FALSE(same(second, 1));
  CHECK(same(second, 2));
  CHECK(second.heads[1].own_scores.stamp() == before.heads[1].own_scores.stamp());
}

TEST_CASE("variants: a head that takes another's weights away has the difference of two patterns", "[core][variants]") {
  Random random(36);
  LayerInput<double> input = talking_layer(random, TalkingHeads::after, 8, 2);
  for (const double lambda : {0.0, 0.8, 1.0}) {
    input.weights.P_W = share_rows(matrix({{1, -lambda}, {0, 1}}));
    const LayerTrace<double> trace = forward<double>(input);
    const HeadTrace<double>&first = trace.heads[0], &second = trace.heads[1];
    CHECK(largest_difference(*first.attention, *first.own_attention - lambda * *second.own_attention) < 1e-15);
    CHECK(largest_difference(first.attention->rowwise().sum(), D::Constant(8, 1, 1 - lambda)) < 1e-14);
    CHECK(largest_difference(*first.output, *first.attention * *first.V) < 1e-14);
    if (lambda == 0) CHECK(*first.attention == *first.own_attention);
  }
}

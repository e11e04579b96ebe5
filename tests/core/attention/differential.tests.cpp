// Differential attention: worked by hand, and the laws that it is made for.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/shares.h"
#include "core/ops/differ.h"
#include "core/ops/norm.h"
#include "core/ops/rotate.h"
#include "tests/support/models/layers.h"
#include "tests/support/other_computations.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using D = Mat<double>;

// With what is learned drawn: rows, and gains of the outputs' norm.
template <class S>
LayerInput<S> differential_layer(Random& random, Index n, Index d_model, Index heads, Index group = 1) {
  LayerInput<S> input = random_layer<S>(random, n, d_model, heads, true, group);
  input.settings.differential = true;
  input.settings.lambda_0 = 0.35;
  AttentionWeights<S>& w = input.weights;
  for (Array<S>* row : {&w.lambda_q1, &w.lambda_k1, &w.lambda_q2, &w.lambda_k2})
    *row = random_bias<S>(random, input.d_k() / 2);
  w.gain_O = random_bias<S>(random, d_model);
  return input;
}

// λ = exp(0) - exp(0) + 0.
template <class S>
void take_nothing_away(LayerInput<S>& input) {
  AttentionWeights<S>& w = input.weights;
  for (Array<S>* row : {&w.lambda_q1, &w.lambda_k1, &w.lambda_q2, &w.lambda_k2})
    *row = share_columns(Mat<S>(Mat<S>::Zero(1, input.d_k() / 2)));
  input.settings.lambda_0 = 0;
}

// The columns of the second half of each head, of as many heads as there are blocks.
template <class S>
void clear_second_halves(Array<S>& values, Index d_k) {
  Mat<S> cleared = *values;
  for (Index first = d_k / 2; first < cleared.cols(); first += d_k) cleared.middleCols(first, d_k / 2).setZero();
  values = share_columns(std::move(cleared));
}

}  // namespace

TEST_CASE("differential: two patterns of one head, by hand", "[core][variants]") {
  // One number a half: first scores 2 and 0 of the first token's two keys, second ones 0 and ln 3.
  LayerInput<double> input;
  const double ln3 = std::log(3.0), ln2 = std::log(2.0);
  input.X = share(matrix({{1, 1}, {0, 1}}));
  input.weights.W_Q = share(matrix({{2, 0}, {0, ln3}}));
  input.weights.W_K = share(matrix({{1, -1}, {0, 1}}));
  input.weights.W_V = share(matrix({{4, 0}, {0, 8}}));
  input.weights.W_O = share(D(D::Identity(2, 2)));
  input.settings.differential = true;
  input.settings.lambda_0 = 0.5;
  input.weights.lambda_q1 = share(matrix({{ln2}}));
  input.weights.lambda_k1 = share(matrix({{1}}));
  input.weights.lambda_q2 = share(matrix({{0}}));
  input.weights.lambda_k2 = share(matrix({{5}}));
  input.weights.gain_O = share(matrix({{1, 3}}));
  const LayerTrace<double> trace = forward<double>(input);
  const HeadTrace<double>& head = trace.heads[0];
  const auto row = [&](const Array<double>& values) { return D(values->row(0)); };
  CHECK((*trace.lambda)(0, 0) == Approx(1.5));                            // 2 - 1 + 0.5
  CHECK(largest_difference(row(head.scores), matrix({{2, 0}})) < 1e-15);  // halves of one number: / √1
  CHECK(largest_difference(row(head.scores_2), matrix({{0, ln3}})) < 1e-15);
  const double e = std::exp(2.0) / (std::exp(2.0) + 1), a = e - 1.5 * 0.25, b = 1 - e - 1.5 * 0.75;
  CHECK(largest_difference(row(head.own_attention), matrix({{e, 1 - e}})) < 1e-15);
  CHECK(largest_difference(row(head.attention_2), matrix({{0.25, 0.75}})) < 1e-15);
  CHECK(largest_difference(row(head.attention), matrix({{a, b}})) < 1e-15);
  // V is (4, 8) and (0, 8): a row of weights that sums to -1/2 takes -4 of the second number.
  CHECK(largest_difference(row(head.output), matrix({{4 * a, -4}})) < 1e-14);
  const double root = std::sqrt((16 * a * a + 16) / 2 + input.settings.norm_epsilon);
  CHECK(largest_difference(row(head.normed_output), matrix({{0.5 * 4 * a / root, -0.5 * 3 * 4 / root}})) < 1e-14);
  CHECK(*trace.output == *head.normed_output);
}

TEST_CASE("differential: scores are of halves of four numbers, divided by 2", "[core][variants]") {
  Random random(1);
  LayerInput<double> input = differential_layer<double>(random, 6, 16, 2);
  input.weights.W_Q = share_columns(D(8 * *input.weights.W_Q));  // patterns that differ enough to be negative
  take_nothing_away(input);
  input.settings.lambda_0 = 0.35;
  CHECK(input.score_factor(0) == 0.5);
  const LayerTrace<double> trace = forward<double>(input);
  for (const HeadTrace<double>& head : trace.heads) {
    const D first = head.Q->leftCols(4) * head.K->leftCols(4).transpose() / 2;
    const D second = head.Q->rightCols(4) * head.K->rightCols(4).transpose() / 2;
    CHECK(largest_difference(*head.scores, first) < 1e-13);
    CHECK(largest_difference(*head.scores_2, second) < 1e-13);
    const double lambda = (*trace.lambda)(0, 0);
    CHECK(largest_difference(*head.attention, *head.own_attention - lambda * *head.attention_2) < 1e-15);
    CHECK(largest_difference(head.attention->rowwise().sum(), D::Constant(6, 1, 1 - lambda)) < 1e-14);
    CHECK(head.attention->minCoeff() < 0);
  }
}

// Of a λ of 0: A is A_1, and that is, to the bit, the pattern of plain attention that asks with the first halves alone
// (W_Q with zeros in the second ones; the factor is another, so scores are not scaled here). What is taken is that of
// plain attention; what leaves a head is that, each row normalised. (Products of doubles are a library's,
// whose order depends on the width: there within rounding.)
TEMPLATE_TEST_CASE("differential: with a lambda of 0 it is attention of the first halves", "[core][variants]", float,
                   double) {
  using S = TestType;
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    CAPTURE(k);
    const auto any = [&](Index count) { return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(count)); };
    const Index n = 1 + any(9), d_k = 2 * (1 + any(4)), heads = 1 + any(3), group = any(2) == 0 ? heads : 1;
    LayerInput<S> input = differential_layer<S>(random, n, heads * d_k, heads, group);
    take_nothing_away(input);
    input.settings.scale = false;
    input.settings.temperature = 1.5;
    if (any(3) == 0) input.settings.soft_cap = 2;
    input.settings.sink = any(3) == 0 ? SinkKind::zero : SinkKind::none;
    if (any(2) == 0) input.mask = random_mask(random, n);
    if (any(2) == 0) input.mask = causal_mask(), input.settings.alibi = any(2) == 0;
    if (any(3) == 0 && d_k > 2) {
      input.settings.rotary = true;
      input.settings.rotary_width = 2;
      input.settings.rotary_pairs = any(2) == 0 ? RotaryPairs::halves : RotaryPairs::neighbours;
    }
    input.keep_all = any(2) == 0;
    LayerInput<S> plain = input;
    plain.settings.differential = false;
    clear_second_halves(plain.weights.W_Q, d_k);
    clear_second_halves(plain.weights.b_Q, d_k);
    const LayerTrace<S> with = forward<S>(input), without = forward<S>(plain);
    const auto same = [](const Mat<S>& a, const Mat<S>& b) {
      if constexpr (std::is_same_v<S, float>) return a == b;
      return a.isApprox(b, 1e-12) || (a - b).cwiseAbs().maxCoeff() < 1e-14;
    };
    for (std::size_t h = 0; h < with.heads.size(); ++h) {
      const HeadTrace<S>&ours = with.heads[h], &theirs = without.heads[h];
      const auto head = static_cast<Index>(h);
      CHECK(*ours.attention == *pattern_of(with, Quantity::own_attention, head));
      CHECK(same(*ours.attention, *theirs.attention));
      CHECK(same(scores_of(with, head)->array().max(S(-1e30)), scores_of(without, head)->array().max(S(-1e30))));
      CHECK(same(*ours.output, *theirs.output));
      Mat<S> normed(n, d_k);
      norm::forward<S>(*ours.output, input.weights.gain_O->middleCols(head * d_k, d_k), Mat<S>(), NormKind::rms,
                       input.settings.norm_epsilon, normed);
      CHECK(*ours.normed_output == normed);
    }
  }
}

TEST_CASE("differential: halves that are alike leave 1 - lambda of the pattern", "[core][variants]") {
  Random random(3);
  LayerInput<double> input = differential_layer<double>(random, 8, 12, 2);
  for (Array<double>* of : {&input.weights.W_Q, &input.weights.W_K, &input.weights.b_Q, &input.weights.b_K}) {
    D values = **of;
    for (Index first = 0; first < 12; first += 6) values.middleCols(first + 3, 3) = values.middleCols(first, 3).eval();
    *of = share_columns(std::move(values));
  }
  const LayerTrace<double> trace = forward<double>(input);
  for (const HeadTrace<double>& head : trace.heads) {
    CHECK(largest_difference(*head.scores, *head.scores_2) < 1e-14);
    CHECK(largest_difference(*head.attention, (1 - (*trace.lambda)(0, 0)) * *head.own_attention) < 1e-14);
  }
}

TEST_CASE("differential: what leaves a head has one size, that of its gain times 1 - lambda_0", "[core][variants]") {
  Random random(4);
  LayerInput<double> input = differential_layer<double>(random, 9, 16, 2);
  input.weights.gain_O = share_columns(D(D::Ones(1, 16)));
  input.settings.norm_epsilon = 1e-12;
  for (const double lambda_0 : {0.0, 0.8}) {
    input.settings.lambda_0 = lambda_0;
    for (const HeadTrace<double>& head : forward<double>(input).heads)
      for (Index i = 0; i < 9; ++i)
        CHECK(head.normed_output->row(i).norm() == Approx((1 - lambda_0) * std::sqrt(8.0)).epsilon(1e-6));
  }
}

TEST_CASE("differential: each half of queries and keys is rotated and normalised by itself", "[core][variants]") {
  Random random(5);
  for (const RotaryPairs pairs : {RotaryPairs::halves, RotaryPairs::neighbours})
    for (const Index width : {0, 2}) {
      LayerInput<double> input = differential_layer<double>(random, 7, 16, 2);
      input.settings.qk_norm = input.settings.rotary = true;
      input.settings.rotary_width = width;
      input.settings.rotary_pairs = pairs;
      input.weights.gain_Q = random_bias<double>(random, 16);
      input.weights.gain_K = random_bias<double>(random, 16);
      const LayerTrace<double> trace = forward<double>(input);
      for (std::size_t h = 0; h < 2; ++h)
        for (const Index half : {0, 4}) {
          const HeadTrace<double>& head = trace.heads[h];
          D expected(7, 4);
          norm::forward<double>(head.Q->middleCols(half, 4),
                                input.weights.gain_Q->middleCols(static_cast<Index>(h) * 8 + half, 4), D(),
                                NormKind::rms, input.settings.norm_epsilon, expected);
          CHECK(D(head.normed_Q->middleCols(half, 4)) == expected);
          rotate::forward<double>(expected, {input.settings.rotary_base, width == 0 ? 4 : width, pairs}, 0, expected);
          CHECK(D(head.rotated_Q->middleCols(half, 4)) == expected);
        }
      check_other_computations(input);
      input.mask = causal_mask();
      check_other_computations(input);
    }
  LayerSettings settings;
  settings.differential = true;
  const rotate::Rotation by = rotate::rotation_of(settings, 10);  // halves of five, of which four turn
  CHECK(by.width == 4);
  CHECK(rotate::partner_of(by, 4) == 4);
  CHECK(rotate::partner_of(by, 5) == 7);
  CHECK(rotate::partner_of(by, 8) == 6);
  CHECK(rotate::partner_of(by, 9) == 9);
}

TEST_CASE("differential: it is the same by every way to compute, and takes the memory that is said",
          "[core][variants]") {
  Random random(6);
  for (const Index n : {5, 70, 300})
    for (const Index group : {1, 3}) {
      LayerInput<double> input = differential_layer<double>(random, n, 12, 3, group);
      input.settings.output_gate = OutputGate::element;
      input.weights.W_G = share_columns(random_matrix<double>(random, 12, 12));
      input.gates = {0.5, 1, 2};
      check_other_computations(input);
      input.mask = causal_mask();
      input.mask.window = 5;
      input.settings.sink = SinkKind::zero;
      input.settings.alibi = true;
      input.settings.soft_cap = 3;
      if (n < 300) check_other_computations(input);
      for (const WayEntry& entry : ways()) {
        CAPTURE(entry.key);
        CHECK(*why_not(entry.way, input.settings) == 0);
        CHECK(bytes_needed(input, n, entry.way) == compute<double>(input, entry.way).peak_bytes);
      }
    }
}

TEST_CASE("differential: what changes is made anew to the bits of a whole run, at any number of threads",
          "[core][variants]") {
  Random random(7);
  for (const bool keep_all : {true, false}) {
    LayerInput<double> input = differential_layer<double>(random, 150, 24, 3);
    input.keep_all = keep_all;
    LayerTrace<double> trace = forward<double>(input);
    ThreadPool pool(3);
    for (int step = 0; step < 21; ++step) {
      AttentionWeights<double>& w = input.weights;
      Array<double>* choices[] = {&w.W_Q, &w.W_V, &w.lambda_q1, &w.W_K, &w.lambda_k2, &w.gain_O, &w.W_O};
      Array<double>& W = *choices[step % 7];
      const Index row = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(W.rows()));
      const Index col = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(W.cols()));
      D values = *W;
      values(row, col) = random.uniform(-1, 1);
      W = replaced_block(W, std::move(values), row, col, 1, 1);
      if (step % 5 == 0) input.settings.lambda_0 = random.uniform(0, 1);
      trace = forward<double>(input, &trace, step % 2 == 0 ? &pool : nullptr);
      const LayerTrace<double> anew = forward<double>(input);
      REQUIRE(*trace.output == *anew.output);
      REQUIRE(*trace.lambda == *anew.lambda);
      for (Index h = 0; h < 3; ++h) {
        const HeadTrace<double>& a = trace.heads[static_cast<std::size_t>(h)];
        const HeadTrace<double>& b = anew.heads[static_cast<std::size_t>(h)];
        REQUIRE(*a.attention == *b.attention);
        REQUIRE(*a.normed_output == *b.normed_output);
        for (const Quantity stage :
             {Quantity::scores, Quantity::scores_2, Quantity::own_attention, Quantity::attention_2})
          REQUIRE(*pattern_of(trace, stage, h) == *pattern_of(anew, stage, h));
        if (!keep_all) CHECK(a.largest_score == b.largest_score);
      }
    }
  }
}

TEST_CASE("differential: what is not kept is recomputed to the same bits, and switched on and off to those of before",
          "[core][variants]") {
  Random random(8);
  LayerInput<double> input = differential_layer<double>(random, 130, 16, 2);
  const LayerTrace<double> kept = forward<double>(input);
  input.keep_all = false;
  const LayerTrace<double> again = forward<double>(input);
  CHECK(*again.output == *kept.output);
  for (Index h = 0; h < 2; ++h)
    for (const Quantity stage : {Quantity::scores, Quantity::scores_2, Quantity::own_attention, Quantity::attention_2})
      CHECK(*pattern_of(again, stage, h) == *pattern_of(kept, stage, h));
  input.keep_all = true;
  input.settings.differential = false;
  input.settings.scale = false;  // the factor is the same with and without
  const LayerTrace<double> off = forward<double>(input, &kept);
  CHECK(*off.output == *forward<double>(input).output);
  CHECK_FALSE(off.lambda);
  CHECK_FALSE(off.heads[0].attention_2.stamp());
  input.settings.differential = true;
  CHECK(*forward<double>(input, &off).output == *forward<double>(input).output);
}

TEST_CASE("differential: a row set by hand stands in the place of the difference", "[core][variants]") {
  Random random(9);
  LayerInput<double> input = differential_layer<double>(random, 5, 12, 2);
  const LayerTrace<double> before = forward<double>(input);
  RowVec<double> row = RowVec<double>::Zero(5);
  row(1) = 1;
  input.painted.resize(2);
  input.painted[1].attention.push_back({3, share(RowVec<double>(row))});
  for (const bool keep_all : {true, false}) {
    input.keep_all = keep_all;
    const LayerTrace<double> trace = forward<double>(input);
    CHECK(trace.heads[1].attention->row(3) == row);
    CHECK(largest_difference(trace.heads[1].output->row(3), trace.heads[1].V->row(1)) < 1e-15);
    CHECK(trace.heads[1].attention->row(2) == before.heads[1].attention->row(2));
    CHECK(*trace.heads[0].attention == *before.heads[0].attention);
  }
}

TEST_CASE("differential: measures read sizes as shares", "[core][variants]") {
  Random random(10);
  const LayerTrace<float> trace = forward<float>(differential_layer<float>(random, 7, 12, 3));
  for (Index h = 0; h < 3; ++h) {
    const Mat<float> shares = *attention_shares(trace, h);
    CHECK(shares.minCoeff() >= 0);
    CHECK(shares.rowwise().sum().maxCoeff() <= 1 + 1e-6f);
  }
}

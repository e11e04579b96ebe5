#include "core/attention/forward.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/linalg/same_bits.h"
#include "core/weights/config.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

template <class S>
Mat<S> rows(std::initializer_list<std::initializer_list<S>> values) {
  Mat<S> m(static_cast<Index>(values.size()), static_cast<Index>(values.begin()->size()));
  Index i = 0;
  for (const auto& row : values) {
    Index j = 0;
    for (const S value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

template <class S>
bool same_trace(const LayerTrace<S>& a, const LayerTrace<S>& b) {
  bool same = a.heads.size() == b.heads.size();
  for (const Quantity stage : kLayerStages) same = same && same_bits<S>(a[stage], b[stage]);
  for (std::size_t h = 0; same && h < a.heads.size(); ++h)
    for (const Quantity stage : kHeadStages) same = same && same_bits<S>(a.heads[h][stage], b.heads[h][stage]);
  return same;
}

// Y by the formulas, number by number, in long double.
Mat<double> by_the_formulas(const LayerInput<double>& in) {
  const Index n = in.n(), d_k = in.d_k(), d_model = in.d_model();
  const auto entry = [&](const Array<double>& W, const Array<double>& b, Index i, Index c) {
    long double sum = b ? (*b)(0, c) : 0;
    for (Index k = 0; k < d_model; ++k) sum += static_cast<long double>((*in.X)(i, k)) * (*W)(k, c);
    return sum;
  };
  const AttentionWeights<double>& w = in.weights;
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> Q(n, d_model), K(n, d_model), V(n, d_model), C(n, d_model);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < d_model; ++c) {
      Q(i, c) = entry(w.W_Q, w.b_Q, i, c);
      K(i, c) = entry(w.W_K, w.b_K, i, c);
      V(i, c) = entry(w.W_V, w.b_V, i, c);
    }
  C.setZero();
  for (Index h = 0; h < in.heads; ++h)
    for (Index i = 0; i < n; ++i) {
      std::vector<long double> e(static_cast<std::size_t>(n), 0);
      long double sum = 0;
      for (Index j = 0; j < n; ++j) {
        if (!in.mask.allows(i, j)) continue;
        long double score = 0;
        for (Index k = h * d_k; k < (h + 1) * d_k; ++k) score += Q(i, k) * K(j, k);
        sum += e[static_cast<std::size_t>(j)] = std::exp(score / std::sqrt(static_cast<long double>(d_k)));
      }
      for (Index j = 0; sum > 0 && j < n; ++j)
        for (Index k = h * d_k; k < (h + 1) * d_k; ++k) C(i, k) += e[static_cast<std::size_t>(j)] / sum * V(j, k);
    }
  Mat<double> Y(n, d_model);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < d_model; ++c) {
      long double sum = w.b_O ? (*w.b_O)(0, c) : 0;
      for (Index k = 0; k < d_model; ++k) sum += C(i, k) * (*w.W_O)(k, c);
      Y(i, c) = static_cast<double>(sum);
    }
  return Y;
}

}  // namespace

TEMPLATE_TEST_CASE("forward: two heads of width 2, worked by hand", "[core][attention]", float, double) {
  using S = TestType;
  LayerInput<S> input;
  input.heads = 2;
  input.X = share(rows<S>({{1, 2, 3, 4}}));
  // W_Q^1 = [[1,0],[0,1],[0,0],[1,0]] beside W_Q^2 = [[0,1],[1,0],[1,0],[0,1]], and so on.
  input.weights.W_Q = share(rows<S>({{1, 0, 0, 1}, {0, 1, 1, 0}, {0, 0, 1, 0}, {1, 0, 0, 1}}));
  input.weights.W_K = share(rows<S>({{1, 1, 0, 1}, {0, 1, 1, 1}, {1, 0, 0, 0}, {0, 1, 1, 0}}));
  input.weights.W_V = share(rows<S>({{1, 0, 0, 1}, {0, 2, 1, 1}, {1, 1, 0, 2}, {0, 1, 1, 0}}));
  input.weights.W_O = share(rows<S>({{1, 0, 0, 2}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 3, 1}}));
  const LayerTrace<S> trace = forward<S>(input);
  CHECK(*trace.heads[0].Q == rows<S>({{1 + 4, 2}}));
  CHECK(*trace.heads[0].K == rows<S>({{1 + 3, 1 + 2 + 4}}));
  CHECK(*trace.heads[0].V == rows<S>({{1 + 3, 4 + 3 + 4}}));
  CHECK(*trace.heads[1].Q == rows<S>({{2 + 3, 1 + 4}}));
  CHECK(*trace.heads[1].K == rows<S>({{2 + 4, 1 + 2}}));
  CHECK(*trace.heads[1].V == rows<S>({{2 + 4, 1 + 2 + 6}}));
  CHECK((*trace.heads[0].scores)(0, 0) == Approx((5 * 4 + 2 * 7) / std::sqrt(2.0)));
  CHECK((*trace.heads[1].scores)(0, 0) == Approx((5 * 6 + 5 * 3) / std::sqrt(2.0)));
  CHECK(*trace.heads[0].attention == rows<S>({{1}}));  // one token attends to itself
  CHECK(*trace.concat == rows<S>({{4, 11, 6, 9}}));
  CHECK(*trace.heads[0].contribution == rows<S>({{4, 11, 0, 8}}));
  CHECK(*trace.heads[1].contribution == rows<S>({{0, 0, 6 + 27, 9}}));
  CHECK(*trace.output == rows<S>({{4, 11, 33, 17}}));
}

TEST_CASE("forward: two tokens, one head, worked by hand", "[core][attention]") {
  LayerInput<double> input;
  const double ln3 = std::log(3.0);
  input.X = share(rows<double>({{1, 0}, {0, 1}}));
  input.settings.scale = false;
  input.weights.W_Q = share(rows<double>({{ln3, 0}, {0, 0}}));
  input.weights.W_K = input.weights.W_O = share(rows<double>({{1, 0}, {0, 1}}));
  input.weights.W_V = share(rows<double>({{4, 8}, {0, 4}}));
  const LayerTrace<double> trace = forward<double>(input);
  // Scores [[ln 3, 0], [0, 0]]: the first token attends 3/4 to itself, the second evenly.
  CHECK(trace.heads[0].attention->isApprox(rows<double>({{0.75, 0.25}, {0.5, 0.5}}), 1e-15));
  CHECK(trace.output->isApprox(rows<double>({{3, 7}, {2, 6}}), 1e-15));
  input.settings.temperature = 0.5;  // halves the temperature: 9 to 1
  CHECK(forward<double>(input).heads[0].attention->isApprox(rows<double>({{0.9, 0.1}, {0.5, 0.5}}), 1e-15));
}

TEST_CASE("forward: 512 dimensions in 8 heads of 64", "[core][attention]") {
  Random random(1);
  const LayerTrace<float> trace = forward<float>(random_layer<float>(random, 11, 512, 8));
  REQUIRE(trace.heads.size() == 8);
  CHECK(trace.input.d_k() == 64);
  for (const HeadTrace<float>& head : trace.heads) {
    for (const Array<float>& m : {head.Q, head.K, head.V, head.output}) CHECK((m->rows() == 11 && m->cols() == 64));
    for (const Array<float>& m : {head.scores, head.attention}) CHECK((m->rows() == 11 && m->cols() == 11));
    CHECK((head.contribution->rows() == 11 && head.contribution->cols() == 512));
  }
  CHECK((trace.concat->rows() == 11 && trace.concat->cols() == 512));
  CHECK((trace.output->rows() == 11 && trace.output->cols() == 512));
}

TEST_CASE("forward: agrees with the formulas on sizes that cross the blocks of rows", "[core][attention]") {
  const auto [n, d_model, heads] = GENERATE(table<Index, Index, Index>(
      {{63, 24, 3}, {64, 24, 4}, {65, 33, 11}, {129, 96, 2}, {200, 40, 1}, {130, 130, 2}, {17, 256, 4}}));
  CAPTURE(n, d_model, heads);
  Random random(5);
  LayerInput<double> input = random_layer<double>(random, n, d_model, heads, true);
  const int kind = GENERATE(0, 1, 2);
  if (kind == 1) input.mask = causal_mask();
  if (kind == 2) input.mask = random_mask(random, n);
  const Mat<double> expected = by_the_formulas(input);
  const double largest = expected.cwiseAbs().maxCoeff();
  CHECK((*forward<double>(input).output - expected).cwiseAbs().maxCoeff() <= 1e-13 * largest);
  LayerInput<float> single;
  const auto to_float = [](const Array<double>& m) { return share(Mat<float>(m->cast<float>())); };
  const auto bias_to_float = [](const Array<double>& b) { return share(RowVec<float>(b->cast<float>())); };
  const AttentionWeights<double>& w = input.weights;
  single.X = to_float(input.X);
  single.heads = heads;
  single.mask = input.mask;
  single.weights = {to_float(w.W_Q),      to_float(w.W_K),      to_float(w.W_V),      to_float(w.W_O),
                    bias_to_float(w.b_Q), bias_to_float(w.b_K), bias_to_float(w.b_V), bias_to_float(w.b_O)};
  CHECK((forward<float>(single).output->cast<double>() - expected).cwiseAbs().maxCoeff() <= 1e-5 * largest);
}

TEMPLATE_TEST_CASE("forward: laws", "[core][attention][laws]", float, double) {
  using S = TestType;
  const auto [n, d_model, heads] =
      GENERATE(table<Index, Index, Index>({{1, 1, 1}, {7, 15, 5}, {70, 32, 4}, {12, 64, 8}}));
  CAPTURE(n, d_model, heads);
  Random random(11);
  LayerInput<S> input = random_layer<S>(random, n, d_model, heads, true);
  const S eps = std::numeric_limits<S>::epsilon();

  SECTION("attention rows sum to one, and to zero with nothing to attend to") {
    input.mask = random_mask(random, n);
    const LayerTrace<S> trace = forward<S>(input);
    for (const HeadTrace<S>& head : trace.heads)
      for (Index i = 0; i < n; ++i) {
        const bool empty = input.mask.allowed->row(i).isZero(0);
        CHECK(std::abs(head.attention->row(i).sum() - (empty ? 0 : 1)) <= 100 * eps);
        if (empty) CHECK(head.output->row(i).isZero(0));
      }
    CHECK(trace.output->allFinite());
  }
  SECTION("permuting the tokens permutes the output") {
    LayerInput<S> permuted = input;
    const Index shift = n / 2;
    Mat<S> X(n, d_model);
    for (Index i = 0; i < n; ++i) X.row((i + shift) % n) = input.X->row(i);
    permuted.X = share(std::move(X));
    const Array<S> Y = forward<S>(input).output, permuted_Y = forward<S>(permuted).output;
    for (Index i = 0; i < n; ++i)
      CHECK((permuted_Y->row((i + shift) % n) - Y->row(i)).cwiseAbs().maxCoeff() <=
            static_cast<S>(d_model + n) * eps * Y->cwiseAbs().maxCoeff());
  }
  SECTION("a causal mask hides the future") {
    input.mask = causal_mask();
    LayerInput<S> other = input;
    const Index changed = n / 2;
    Mat<S> X = *input.X;
    X.bottomRows(n - changed).setConstant(3);
    other.X = share(std::move(X));
    const Array<S> Y = forward<S>(input).output, other_Y = forward<S>(other).output;
    CHECK(same_bits<S>(MatView<S>(Y->topRows(changed)), MatView<S>(other_Y->topRows(changed))));
    CHECK(Y->row(n - 1) != other_Y->row(n - 1));
  }
  SECTION("the sum of the contributions and b_O is the output, and concat times W_O is too") {
    const LayerTrace<S> trace = forward<S>(input);
    Mat<S> sum = Mat<S>::Zero(n, d_model);
    for (const HeadTrace<S>& head : trace.heads) sum += *head.contribution;
    sum.rowwise() += input.weights.b_O->row(0);
    CHECK(sum == *trace.output);
    Mat<S> product = *trace.concat * *input.weights.W_O;
    product.rowwise() += input.weights.b_O->row(0);
    CHECK((product - *trace.output).cwiseAbs().maxCoeff() <=
          static_cast<S>(d_model) * eps * product.cwiseAbs().maxCoeff());
  }
  SECTION("scores of +-1e4 do not overflow") {
    Mat<S> X = *input.X;
    X.col(0).setConstant(100);
    Mat<S> W = Mat<S>::Zero(d_model, d_model);
    W.row(0).setConstant(100 / std::sqrt(static_cast<S>(d_model)));
    input.X = share(std::move(X));
    input.weights.W_Q = input.weights.W_K = share(W);
    const LayerTrace<S> trace = forward<S>(input);
    CHECK(trace.heads[0].scores->cwiseAbs().maxCoeff() > 1e4);
    CHECK(trace.output->allFinite());
    input.weights.W_K = share(Mat<S>(-W));
    CHECK(forward<S>(input).output->allFinite());
  }
}

TEMPLATE_TEST_CASE("forward: the same bits on every run and thread count", "[core][attention][threads]", float,
                   double) {
  using S = TestType;
  const auto [n, d_model, heads] =
      GENERATE(table<Index, Index, Index>({{12, 64, 8}, {1, 8, 4}, {130, 96, 3}, {200, 128, 1}, {300, 512, 8}}));
  Random random(2);
  LayerInput<S> input = random_layer<S>(random, n, d_model, heads, true);
  input.mask = random_mask(random, n);
  const LayerTrace<S> serial = forward<S>(input);
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    for (int run = 0; run < 3; ++run) CHECK(same_trace<S>(forward<S>(input, nullptr, &pool), serial));
  }
}

TEST_CASE("forward: the largest sizes work", "[core][attention][slow]") {
  Random random(4);
  LayerInput<float> input = random_layer<float>(random, 1024, kMaxModel, kMaxHeads);
  ThreadPool pool(2);
  const LayerTrace<float> trace = forward<float>(input, nullptr, &pool);
  REQUIRE(trace.heads.size() == 128);
  CHECK(trace.output->allFinite());
  CHECK(trace.heads.back().attention->row(1023).sum() == Approx(1));
}

// Likeness of heads: values worked by hand, the laws of each measure, rows that do not count, keeping what did not
// change.
#include "core/analysis/likeness/likeness.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/linalg/decompositions.h"
#include "core/linalg/same_bits.h"
#include "core/text/wording.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

Mat<float> mat(std::initializer_list<std::initializer_list<float>> rows) {
  Mat<float> values(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) std::copy(row.begin(), row.end(), values.row(i++).data());
  return values;
}

// A layer whose heads have these patterns and, when given, outputs; all else is random.
LayerTrace<float> layer_of(const std::vector<Mat<float>>& patterns, const std::vector<Mat<float>>& outputs = {},
                           Index d_k = 2) {
  Random random(3);
  const auto h = static_cast<Index>(patterns.size());
  LayerTrace<float> layer = forward<float>(random_layer<float>(random, patterns[0].rows(), h * d_k, h));
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    layer.heads[k].attention = share(Mat<float>(patterns[k]));
    layer.heads[k].scores = share(Mat<float>(patterns[k].array().log()));
    if (!outputs.empty()) layer.heads[k].output = share(Mat<float>(outputs[k]));
  }
  return layer;
}

Mat<double> measured(const std::vector<LayerTrace<float>>& sentences, Likeness measure) {
  LikenessMatrices matrices;
  matrices.set(sentences);
  return matrices.matrix(measure);
}
double of_patterns(const Mat<float>& a, const Mat<float>& b, Likeness measure) {
  return measured({layer_of({a, b})}, measure)(0, 1);
}
double cka_of(const Mat<float>& a, const Mat<float>& b) {
  Mat<float> uniform = Mat<float>::Constant(a.rows(), a.rows(), 1 / static_cast<float>(a.rows()));
  return measured({layer_of({uniform, uniform}, {a, b}, a.cols())}, Likeness::cka)(0, 1);
}

// Rows of a softmax; `zeros`: about that share of the entries are exactly 0.
Mat<float> random_pattern(Random& random, Index n, double zeros = 0) {
  Mat<float> A(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index kept = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(n));
    for (Index j = 0; j < n; ++j)
      A(i, j) = j != kept && random.uniform() < zeros ? 0 : static_cast<float>(std::exp(random.uniform(-3, 3)));
    A.row(i) /= A.row(i).sum();
  }
  return A;
}

Mat<float> random_rotation(Random& random, Index size) {
  return signed_Q(random_matrix<double>(random, size, size)).cast<float>();
}

void check_same(const Mat<double>& a, const Mat<double>& b) { CHECK(same_bits<double>(a, b)); }

}  // namespace

TEST_CASE("likeness: values worked by hand", "[core][analysis][likeness]") {
  const Mat<float> a = mat({{1, 0}, {0.5, 0.5}}), b = mat({{0.5, 0.5}, {0, 1}});
  // <a, b> = 0.5 + 0.5; |a|^2 = |b|^2 = 1.5
  CHECK(of_patterns(a, b, Likeness::cosine) == Approx(2.0 / 3));
  // Row 0: m = (3/4, 1/4), H(m) = 0.811278, less half of 0 + 1; row 1 the same.
  CHECK(of_patterns(a, b, Likeness::js_bits) == Approx(0.811278124 - 0.5));
  // [a, b]: row 0: log2 2 = 1; row 1 looks at key 0, to which b gives 0.
  CHECK(of_patterns(a, b, Likeness::kl_bits) == std::numeric_limits<double>::infinity());
  CHECK(of_patterns(mat({{1, 0}, {0, 1}}), b, Likeness::kl_bits) == Approx(0.5));
  CHECK(of_patterns(b, mat({{0.25, 0.75}, {0.5, 0.5}}), Likeness::kl_bits) ==
        Approx((0.5 * std::log2(2.0) + 0.5 * std::log2(2.0 / 3) + 1) / 2));
  // Of four tokens, x = (0, 0, 1, 1) and y = (0, 1, 0, 1): each pair of tokens is joined by one x, one y or neither, so
  // that of the three ways to pair them x has one, y another. The U-centred kernels are (2, -1, -1) / 3 and (-1, 2, -1)
  // / 3 over these, with the cosine -1 / 2.
  CHECK(cka_of(mat({{0}, {0}, {1}, {1}}), mat({{0}, {1}, {0}, {1}})) == Approx(-0.5));
}

TEST_CASE("likeness: of the weights' products, worked by hand", "[core][analysis][likeness]") {
  LayerTrace<float> layer = layer_of({mat({{1}}), mat({{1}})}, {}, 1);
  AttentionWeights<float>& w = layer.input.weights;
  // W_Q^1 W_K^1T = [[1, 1], [0, 0]], of head 2 [[0, 2], [0, 0]]
  w.W_Q = share(mat({{1, 1}, {0, 0}}));
  w.W_K = share(mat({{1, 0}, {1, 2}}));
  CHECK(measured({layer}, Likeness::qk)(0, 1) == Approx(1 / std::sqrt(2.0)));
  // W_V^1 W_O^1 = [[1, 2], [0, 0]], of head 2 [[-1, -2], [-1, -2]]
  w.W_V = share(mat({{1, 1}, {0, 1}}));
  w.W_O = share(mat({{1, 2}, {-1, -2}}));
  CHECK(measured({layer}, Likeness::ov)(0, 1) == Approx(-5 / std::sqrt(5 * 10.0)));
  w.W_V = share(mat({{1, 0}, {0, 0}}));
  CHECK(std::isnan(measured({layer}, Likeness::ov)(0, 1)));
  CHECK(std::isnan(measured({layer}, Likeness::ov)(1, 1)));
  CHECK(measured({layer}, Likeness::ov)(0, 0) == 1);
}

TEST_CASE("likeness: a head and itself, and heads without a key in common", "[core][analysis][likeness]") {
  Random random(11);
  for (const Index n : {1, 2, 7, 40}) {
    const Mat<float> A = random_pattern(random, n), O = random_matrix<float>(random, n, 2);
    CAPTURE(n);
    for (const LikenessEntry& entry : likenesses()) {
      const Mat<double> values = measured({layer_of({A, A}, {O, O})}, entry.measure);
      CAPTURE(entry.key);
      if (entry.measure == Likeness::cka && n < 4) {
        CHECK(std::isnan(values(0, 0)));
        continue;
      }
      CHECK(values(0, 0) == entry.same);
      if (!entry.of_weights) CHECK(values(0, 1) == entry.same);
    }
  }
  const Mat<float> even = mat({{1, 0, 0}, {0.5, 0, 0.5}, {0, 0, 1}}), odd = mat({{0, 1, 0}, {0, 1, 0}, {0, 1, 0}});
  CHECK(of_patterns(even, odd, Likeness::cosine) == 0);
  CHECK(of_patterns(even, odd, Likeness::js_bits) == Approx(1));
  CHECK(of_patterns(even, odd, Likeness::kl_bits) == std::numeric_limits<double>::infinity());
}

TEST_CASE("likeness: Jensen-Shannon is symmetric, bounded, and its root a metric", "[core][analysis][likeness]") {
  Random random(12);
  std::vector<Mat<float>> patterns;
  for (int k = 0; k < 12; ++k) patterns.push_back(random_pattern(random, 6, k % 3 == 0 ? 0.6 : 0));
  patterns.push_back(patterns[1]);
  const Mat<double> js = measured({layer_of(patterns)}, Likeness::js_bits);
  const Mat<double> kl = measured({layer_of(patterns)}, Likeness::kl_bits);
  CHECK(js == js.transpose());
  CHECK(kl != kl.transpose());
  CHECK(js.minCoeff() >= 0);
  CHECK(js.maxCoeff() <= 1);
  CHECK(kl.minCoeff() >= 0);
  // Of a single distribution per head it is the metric of the books; so is the mean over rows.
  std::vector<Mat<float>> rows;
  for (int k = 0; k < 10; ++k) {
    const auto p = static_cast<float>(random.uniform());
    rows.push_back(mat({{p, 1 - p}, {p, 1 - p}}));
  }
  for (const Mat<double>& d :
       {Mat<double>(measured({layer_of(rows)}, Likeness::js_bits).cwiseSqrt()), Mat<double>(js.cwiseSqrt())})
    for (Index a = 0; a < d.rows(); ++a)
      for (Index b = 0; b < d.rows(); ++b)
        for (Index c = 0; c < d.rows(); ++c) CHECK(d(a, c) <= d(a, b) + d(b, c) + 1e-7);
}

TEST_CASE("likeness: CKA is the same after rotation, scaling and shifting, n/a where an output does not vary",
          "[core][analysis][likeness]") {
  Random random(13);
  for (const Index n : {4, 5, 9, 30}) {
    const Mat<float> a = random_matrix<float>(random, n, 6), b = random_matrix<float>(random, n, 6);
    const Mat<float> turned = 2.5f * a * random_rotation(random, 6);
    const Mat<float> shifted = turned.rowwise() + RowVec<float>(random_matrix<float>(random, 1, 6));
    CAPTURE(n);
    CHECK(cka_of(turned, b) == Approx(cka_of(a, b)).margin(1e-6));
    CHECK(cka_of(shifted, b) == Approx(cka_of(a, b)).margin(1e-6));
    CHECK(cka_of(a, shifted) == Approx(1).margin(1e-6));
    CHECK(cka_of(a, b) < 0.99);
  }
  const Mat<float> flat = RowVec<float>(random_matrix<float>(random, 1, 6)).replicate(9, 1);
  CHECK(std::isnan(cka_of(flat, random_matrix<float>(random, 9, 6))));
  CHECK(std::isnan(cka_of(random_matrix<float>(random, 3, 6), random_matrix<float>(random, 3, 6))));
  CHECK(std::isnan(cka_of(random_matrix<float>(random, 3, 2), random_matrix<float>(random, 3, 2))));
}

TEST_CASE(
    "likeness: CKA of unrelated outputs is 0 on average, whether tokens pass d_k or not, and says how far it goes",
    "[core][analysis][likeness]") {
  Random random(16);
  for (const Index n : {6, 8, 9, 12, 30}) {
    CAPTURE(n);
    double sum = 0;
    int above = 0;
    constexpr int kDraws = 150;
    for (int draw = 0; draw < kDraws; ++draw) {
      const Mat<float> a = random_matrix<float>(random, n, 8), b = random_matrix<float>(random, n, 8);
      const Mat<float> uniform = Mat<float>::Constant(n, n, 1 / static_cast<float>(n));
      LikenessMatrices matrices;
      matrices.set({layer_of({uniform, uniform}, {a, b}, 8)});
      const double value = matrices.matrix(Likeness::cka)(0, 1);
      const UnrelatedOutputs unrelated = matrices.unrelated_outputs();
      CHECK(unrelated.draws == 400);
      CHECK(std::abs(unrelated.median) < 0.25);
      sum += value;
      above += value > unrelated.high;
    }
    CHECK(std::abs(sum / kDraws) < 0.08);  // the biased estimator: .4 to .5
    CHECK(above >= 1);
    CHECK(above < 0.12 * kDraws);
  }
}

TEST_CASE("likeness: CKA does not change with columns of zeros, nor where tokens pass d_k",
          "[core][analysis][likeness]") {
  Random random(17);
  for (const Index n : {4, 5, 8, 9}) {
    const Mat<float> a = random_matrix<float>(random, n, 8), b = random_matrix<float>(random, n, 8);
    const auto wider = [&](const Mat<float>& values) {
      Mat<float> more = Mat<float>::Zero(n, 12);
      more.leftCols(8) = values;
      return more;
    };
    CAPTURE(n);
    CHECK(cka_of(wider(a), wider(b)) == Approx(cka_of(a, b)).epsilon(1e-12));
  }
  // One token more, as far from all others as they are from each other in the mean, moves it by little.
  const Mat<float> a = random_matrix<float>(random, 17, 16), b = random_matrix<float>(random, 17, 16);
  CHECK(std::abs(cka_of(a, b) - cka_of(a.topRows(16), b.topRows(16))) < 0.1);
}

TEST_CASE("likeness: what has no CKA says why", "[core][analysis][likeness]") {
  Random random(18);
  const auto reason = [&](const Mat<float>& output) {
    const Mat<float> uniform =
        Mat<float>::Constant(output.rows(), output.rows(), 1 / static_cast<float>(output.rows()));
    LikenessMatrices matrices;
    matrices.set({layer_of({uniform, uniform}, {output, random_matrix<float>(random, output.rows(), 4)}, 4)});
    return matrices.why_no_cka().front();
  };
  CHECK(reason(random_matrix<float>(random, 3, 4)) == "3 tokens count, and CKA needs 4");
  CHECK(reason(Mat<float>::Ones(5, 4)) == "its output is the same for every token");
  CHECK(reason(Mat<float>::Identity(4, 4)) == "no two tokens of its output share what sets them apart");
  CHECK(reason(random_matrix<float>(random, 5, 4)).empty());
}

// softmax of the scores in double, and its logarithms.
Mat<double> log_softmax(const Mat<float>& scores) {
  Mat<double> logs = scores.cast<double>();
  for (Index i = 0; i < logs.rows(); ++i) {
    const double top = logs.row(i).maxCoeff();
    logs.row(i).array() -= top + std::log((logs.row(i).array() - top).exp().sum());
  }
  return logs;
}
double kl_in_doubles(const LayerTrace<float>& layer, std::size_t i, std::size_t g) {
  const Mat<double> p = log_softmax(*layer.heads[i].scores), q = log_softmax(*layer.heads[g].scores);
  double sum = 0;
  for (Index k = 0; k < p.size(); ++k)
    if (std::isfinite(p.data()[k])) sum += std::exp(p.data()[k]) * (p.data()[k] - q.data()[k]);
  return sum / std::log(2.0) / static_cast<double>(p.rows());
}

TEST_CASE("likeness: divergences are of scores, finite where weights underflow, as in doubles",
          "[core][analysis][likeness]") {
  Random random(19);
  for (const float size : {1.0f, 30.0f, 1000.0f})
    for (const bool causal : {false, true}) {
      LayerInput<float> input = random_layer<float>(random, 9, 12, 3);
      input.weights.W_Q = share_columns(Mat<float>(size * *input.weights.W_Q));
      if (causal) input.mask = causal_mask();
      const LayerTrace<float> layer = forward<float>(input);
      const Mat<double> kl = measured({layer}, Likeness::kl_bits);
      CAPTURE(size, causal);
      CHECK(kl.allFinite());
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t g = 0; g < 3; ++g)
          CHECK(kl(static_cast<Index>(i), static_cast<Index>(g)) ==
                Approx(kl_in_doubles(layer, i, g)).epsilon(1e-6).margin(1e-7));
      if (size == 1000) CHECK(kl.maxCoeff() > 150);  // more than any two weights of floats can be apart
    }
  // Where heads talk after softmax, or take a difference, as well.
  LayerInput<float> input = random_layer<float>(random, 9, 12, 3);
  input.weights.W_Q = share_columns(Mat<float>(1000 * *input.weights.W_Q));
  input.settings.talking_heads = TalkingHeads::after;
  input.weights.P_W = share_rows(random_matrix<float>(random, 3, 3));
  const Mat<double> talking = measured({forward<float>(input)}, Likeness::kl_bits);
  CHECK(talking.allFinite());
  CHECK(talking.minCoeff() >= 0);
  // A mask that hides a key in one layer and not in the other: there it is infinite.
  input.settings.talking_heads = TalkingHeads::none;
  const LayerTrace<float> open = forward<float>(input);
  input.mask = causal_mask();
  LikenessMatrices both;
  both.set_layers({{open}, {forward<float>(input)}});
  CHECK(both.matrix(Likeness::kl_bits)(0, 3) == std::numeric_limits<double>::infinity());
  CHECK(std::isfinite(both.matrix(Likeness::kl_bits)(3, 0)));
}

TEST_CASE("likeness: a sink's share is taken from the logarithms, too", "[core][analysis][likeness]") {
  Random random(20);
  LayerInput<float> input = random_layer<float>(random, 7, 12, 2);
  input.settings.sink = SinkKind::learned;
  input.weights.sink = share_columns(Mat<float>{{1, 60}});  // the second is above all scores
  const LayerTrace<float> layer = forward<float>(input);
  const Mat<float>&a = *layer.heads[0].attention, &s = *layer.heads[1].scores;
  const double kl = measured({layer}, Likeness::kl_bits)(0, 1);
  double sum = 0;
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 7; ++j) {
      const auto p = static_cast<double>(a(i, j));
      sum += p * (std::log(p) - (static_cast<double>(s(i, j)) - 60)) - p;  // q is e^-60 or so, and adds nothing
    }
  CHECK(kl == Approx(sum / std::log(2.0) / 7).epsilon(1e-5));
}

TEST_CASE("likeness: rows that attend to nothing or are not finite do not count", "[core][analysis][likeness]") {
  Random random(14);
  const Mat<float> a = random_pattern(random, 3), b = random_pattern(random, 3);
  // The same rows, and a fourth of which no number may matter.
  for (const bool broken : {false, true}) {
    Mat<float> A = Mat<float>::Zero(4, 4), B = A;
    A.topLeftCorner(3, 3) = a;
    B.topLeftCorner(3, 3) = b;
    if (broken) {
      A.row(3).setConstant(kNoNumber);
      B.row(3).setConstant(0.25f);
    }
    CAPTURE(broken);
    for (const Likeness measure : {Likeness::js_bits, Likeness::kl_bits})
      CHECK(of_patterns(A, B, measure) == Approx(of_patterns(a, b, measure)).epsilon(1e-12));
    if (!broken) CHECK(of_patterns(A, B, Likeness::cosine) == Approx(of_patterns(a, b, Likeness::cosine)));
    A = B = Mat<float>::Constant(6, 6, 1.0f / 6);
    A.row(5).setConstant(broken ? kNoNumber : 0);
    Mat<float> P = random_matrix<float>(random, 6, 2), Q = random_matrix<float>(random, 6, 2);
    if (broken) P.row(5).setConstant(kNoNumber);
    CHECK(measured({layer_of({A, B}, {P, Q})}, Likeness::cka)(0, 1) ==
          Approx(cka_of(P.topRows(5), Q.topRows(5))).epsilon(1e-12));
  }
  const Mat<float> none = Mat<float>::Zero(2, 2);
  for (const Likeness measure : {Likeness::cosine, Likeness::js_bits, Likeness::kl_bits, Likeness::cka})
    CHECK(std::isnan(of_patterns(none, none, measure)));
}

TEST_CASE("likeness: pooled is over all rows of all sentences", "[core][analysis][likeness]") {
  Random random(15);
  LayerInput<float> input = random_layer<float>(random, 5, 12, 3);
  const LayerTrace<float> first = forward<float>(input);
  input.X = share(random_matrix<float>(random, 9, 12));
  const LayerTrace<float> second = forward<float>(input);
  for (const LikenessEntry& entry : likenesses()) {
    CAPTURE(entry.key);
    const Mat<double> one = measured({first}, entry.measure), two = measured({second}, entry.measure),
                      both = measured({first, second}, entry.measure);
    const bool of_rows = entry.measure == Likeness::js_bits || entry.measure == Likeness::kl_bits;
    if (entry.of_weights) check_same(one, both);
    if (!entry.of_weights) CHECK(!both.isApprox(one, 1e-3));
    if (of_rows) CHECK(both.isApprox((5 * one + 9 * two) / 14, 1e-12));
    // A sentence twice says what it says once; but for CKA, which does not count a token with itself.
    if (entry.measure != Likeness::cka) CHECK(measured({first, first}, entry.measure).isApprox(one, 1e-9));
  }
  LikenessMatrices matrices;
  matrices.set({first, second});
  CHECK(matrices.pattern_gram()(0, 1) ==
        Approx(first.heads[0].attention->cwiseProduct(*first.heads[1].attention).sum() +
               second.heads[0].attention->cwiseProduct(*second.heads[1].attention).sum()));
}

TEST_CASE("likeness: what is kept has the bits of what is computed from scratch", "[core][analysis][likeness]") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  Random random(seed);
  ThreadPool pool(2);
  LikenessMatrices kept(&pool);
  std::vector<LayerInput<float>> inputs;
  const auto start = [&](Index h) {
    inputs.clear();
    for (const Index n : {7, 20}) {
      inputs.push_back(random_layer<float>(random, n, 24, h, true));
      inputs.back().weights = inputs.front().weights;
    }
  };
  start(4);
  std::vector<LayerTrace<float>> traces(2);
  for (int step = 0; step < 120; ++step) {
    if (step % 40 == 39) start(step % 80 == 39 ? 6 : 4), traces.assign(2, {});
    const auto which = random.bits() % 7;
    const auto row = static_cast<Index>(random.bits() % 24), col = static_cast<Index>(random.bits() % 24);
    AttentionWeights<float> w = inputs[0].weights;
    Array<float> AttentionWeights<float>::*const W[] = {&AttentionWeights<float>::W_Q, &AttentionWeights<float>::W_K,
                                                        &AttentionWeights<float>::W_V, &AttentionWeights<float>::W_O};
    if (which < 4) {
      Mat<float> values = *(w.*W[which]);
      values(row, col) += static_cast<float>(random.uniform(-1, 1));
      w.*W[which] = share(std::move(values));
    } else if (which == 4) {
      w.W_K = share(Mat<float>(*w.W_K));  // another matrix, the same values
    } else if (which == 5) {
      inputs[1].X = share(random_matrix<float>(random, random.bits() % 2 ? 20 : 11, 24));
    } else {
      for (LayerInput<float>& input : inputs) input.mask = row % 2 ? Mask{} : causal_mask();
    }
    for (std::size_t s = 0; s < 2; ++s) {
      inputs[s].weights = w;
      const LayerTrace<float> before = traces[s];
      traces[s] = forward<float>(inputs[s], before.heads.empty() ? nullptr : &before);
    }
    kept.set(step % 3 ? traces : std::vector<LayerTrace<float>>{traces[0]});
    for (const LikenessEntry& entry : likenesses()) {
      if (random.bits() % 2) continue;  // not asked for
      CAPTURE(seed, step, entry.key);
      LikenessMatrices fresh;
      fresh.set(step % 3 ? traces : std::vector<LayerTrace<float>>{traces[0]});
      REQUIRE(same_bits<double>(kept.matrix(entry.measure), fresh.matrix(entry.measure)));
      REQUIRE(same_bits<double>(kept.pattern_gram(), fresh.pattern_gram()));
    }
  }
}

TEST_CASE("likeness: every measure has its entry", "[core][analysis][likeness]") {
  int place = 0;
  for (const LikenessEntry& entry : likenesses()) {
    CHECK(static_cast<int>(entry.measure) == place++);
    CHECK((entry.low < entry.high && entry.low <= entry.same && entry.same <= entry.high));
    CHECK(!std::string(entry.key).empty());
    for (const char* text : {entry.title, entry.brief, entry.formula, entry.range, entry.source, entry.tip})
      CHECK(wording(text) != text);
  }
}

// One head fitted to a pattern: the gradient by differences, what is known of every width, and the drawn targets.
#include "core/learn/fit/fit.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/error.h"
#include "core/learn/fit/fit_target.h"
#include "core/linalg/random.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using learn::fit_head;
using learn::fit_widths;
using learn::FitTarget;
using test::fault_at;

namespace {

Mat<double> normal(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Mat<double> made(rows, cols);
  for (Index k = 0; k < made.size(); ++k) made.data()[k] = random.normal();
  return made;
}
Mat<float> rows_of(Index n, Index d, std::uint64_t seed = 3) { return normal(n, d, seed).cast<float>(); }
Mask causal() {
  Mask mask;
  mask.kind = Mask::Kind::causal;
  return mask;
}
Mat<float> target(FitTarget which, Index n, const Mask& mask = {}) { return make_fit_target(which, n, mask, 0); }

}  // namespace

TEST_CASE("fit: the gradient is that of central differences", "[learn][fit]") {
  const auto [n, d, d_k, masked] =
      GENERATE(table<Index, Index, Index, bool>({{5, 7, 3, false}, {4, 3, 1, true}, {6, 5, 9, true}}));
  const Mask mask = masked ? causal() : Mask{};
  const Mat<double> X = normal(n, d, 1);
  Mat<double> P = target(FitTarget::any, n, mask).cast<double>();
  P.row(1).setZero();  // nothing is asked of it
  Mat<double> W_Q = normal(d, d_k, 4), W_K = normal(d, d_k, 5);
  const learn::FitGradient made = learn::fit_gradient(X, mask, P, W_Q, W_K);
  for (Mat<double>* W : {&W_Q, &W_K}) {
    const Mat<double>& by = W == &W_Q ? made.W_Q : made.W_K;
    for (Index k = 0; k < W->size(); ++k) {
      const double before = W->data()[k], step = 1e-4;
      const auto loss = [&](double off) {
        W->data()[k] = before + off;
        return learn::fit_gradient(X, mask, P, W_Q, W_K).loss;
      };
      // Fourth order.
      const double slope = (8 * (loss(step) - loss(-step)) - (loss(2 * step) - loss(-2 * step))) / (12 * step);
      W->data()[k] = before;
      CHECK(by.data()[k] == Approx(slope).epsilon(1e-6).margin(1e-9));
    }
  }
}

TEST_CASE("fit: two tokens and one number wide, by hand", "[learn][fit]") {
  // X the identity, d_k = 1: q = W_Q, k = W_K, A_0 = softmax(q_0 k_0, q_0 k_1). With q_0 = 2, k = (1, 0) and P_0 = (1,
  // 0): the loss of its row ln(1 + e^-2), and of the row with q_1 = 0 and P_1 = (0, 1) ln 2; by s_00 it is (A_00 - 1)
  // / 2.
  Mat<double> X = Mat<double>::Identity(2, 2), P = X, W_Q(2, 1), W_K(2, 1);
  W_Q << 2, 0;
  W_K << 1, 0;
  const learn::FitGradient made = learn::fit_gradient(X, {}, P, W_Q, W_K);
  CHECK(made.loss == Approx(0.5 * (std::log1p(std::exp(-2.0)) + std::log(2.0))));
  const double miss = 0.5 * (1 / (1 + std::exp(-2.0)) - 1);
  CHECK(made.W_Q(0, 0) == Approx(miss));      // dS_00 k_0 + dS_01 k_1
  CHECK(made.W_Q(1, 0) == Approx(0.25));      // (A_10 - 0) / 2 times k_0
  CHECK(made.W_K(0, 0) == Approx(2 * miss));  // dS_00 q_0 + dS_10 q_1
  CHECK(made.W_K(1, 0) == Approx(-2 * miss));
}

TEST_CASE("fit: any positive pattern is made exactly at d_k = n - 1, and not below", "[learn][fit]") {
  const Index n = 10;
  const Mat<float> X = rows_of(n, 32);
  const std::vector<Index> widths{1, 2, 4, n - 1};
  const learn::WidthCurve curve = fit_widths(X, {}, target(FitTarget::any, n), widths, 0, 5, nullptr);
  CHECK(curve.rank == n);
  CHECK(curve.asked == n);
  REQUIRE(curve.points.size() == 4);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(curve.points[0].misplaced[k] > 0.2);
    CHECK(curve.points[1].misplaced[k] > 0.1);
    CHECK(curve.points[2].misplaced[k] > 0.03);
    CHECK(curve.points[3].misplaced[k] < 2e-3);
    CHECK(curve.points[3].divergence[k] < 1e-5);
  }
}

TEST_CASE("fit: one place per row is only approached, from d_k = 2 on, and not by one number", "[learn][fit]") {
  const Index n = 11;
  const Mat<float> X = rows_of(n, 32);
  const std::vector<Index> widths{1, 2, 8};
  for (const FitTarget which : {FitTarget::identity, FitTarget::permutation}) {
    const learn::WidthCurve curve = fit_widths(X, {}, target(which, n), widths, 0, 5, nullptr);
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(curve.points[0].misplaced[k] > 0.6);
      CHECK(curve.points[1].misplaced[k] < 0.01);
      CHECK(curve.points[2].misplaced[k] < 0.01);
      CHECK(curve.points[2].misplaced[k] > 0);  // a softmax is never 0
    }
  }
}

TEST_CASE("fit: an X of lower rank makes not every pattern at any width", "[learn][fit]") {
  const Index n = 8;
  Mat<float> X = rows_of(n, 16);
  X.row(5) = X.row(2);  // the same word twice: the same row, and the same key
  const std::vector<Index> widths{n, 16};
  const learn::WidthCurve curve = fit_widths(X, {}, target(FitTarget::identity, n), widths, 0, 2, nullptr);
  CHECK(curve.rank == n - 1);
  // Both rows are alike, and give both tokens a half at best: of eight rows two miss a half.
  for (const learn::WidthPoint& point : curve.points)
    for (const double misplaced : point.misplaced) CHECK(misplaced == Approx(0.125).margin(0.01));
}

TEST_CASE("fit: the weights it returns make its pattern from X as it is", "[learn][fit]") {
  const Mat<float> X = 40 * rows_of(6, 9);
  const learn::HeadFit fit = fit_head(X, causal(), target(FitTarget::any, 6, causal()), 5, 1);
  Mat<double> S = (X * fit.W_Q * (X * fit.W_K).transpose()).cast<double>() / std::sqrt(5.0);
  for (Index i = 0; i < 6; ++i) {
    double sum = 0;
    for (Index j = 0; j <= i; ++j) sum += std::exp(S(i, j));
    for (Index j = 0; j < 6; ++j)
      CHECK(static_cast<double>(fit.A(i, j)) == Approx(j <= i ? std::exp(S(i, j)) / sum : 0).margin(1e-4));
  }
}

TEST_CASE("fit: the same bits at any number of threads, and none where it is stopped", "[learn][fit]") {
  const Mat<float> X = rows_of(9, 12);
  const Mat<float> P = target(FitTarget::several, 9);
  const std::vector<Index> widths{1, 3, 8};
  const learn::WidthCurve alone = fit_widths(X, {}, P, widths, 4, 3, nullptr);
  CHECK(alone.seeds == std::vector<std::uint64_t>{4, 5, 6});
  for (const int threads : {2, 3}) {
    ThreadPool pool(threads);
    std::atomic<int> done = 0;
    const learn::WidthCurve many = fit_widths(X, {}, P, widths, 4, 3, &pool, Progress{{}, &done});
    CHECK(done == 9);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(many.points[k].misplaced == alone.points[k].misplaced);
      CHECK(many.points[k].best.A == alone.points[k].best.A);
    }
  }
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(fit_widths(X, {}, P, widths, 0, 1, nullptr, Progress{stop.get_token(), nullptr}), Stopped);
}

TEST_CASE("fit: what is drawn keeps to the mask, and what the mask hides is not asked", "[learn][fit]") {
  for (const learn::FitTargetEntry& entry : learn::fit_targets()) {
    CHECK(learn::fit_target_of(entry.key) == entry.target);
    CHECK(&learn::entry_of(entry.target) == &entry);
    for (const bool masked : {false, true}) {
      INFO(entry.key << masked);
      const Mask mask = masked ? causal() : Mask{};
      const Mat<float> P = target(entry.target, 7, mask);
      for (Index i = 0; i < 7; ++i) {
        const bool asks = !(entry.target == FitTarget::previous && i == 0);
        CHECK(P.row(i).sum() == Approx(asks ? 1 : 0).epsilon(1e-6));
        for (Index j = 0; j < 7; ++j)
          if (!mask.allows(i, j)) CHECK(P(i, j) == 0);
      }
      CHECK(P == make_fit_target(entry.target, 7, mask, 0));
    }
  }
  const Mat<float> P = target(FitTarget::permutation, 9);
  CHECK((P.colwise().sum().array() == 1).all());
  CHECK(P != make_fit_target(FitTarget::permutation, 9, {}, 1));
  Mask blind;
  blind.kind = Mask::Kind::custom;
  blind.allowed = share(Mat<std::uint8_t>(Mat<std::uint8_t>::Zero(3, 3)));
  CHECK(target(FitTarget::several, 3, blind).sum() == 0);
}

TEST_CASE("fit: what cannot be fitted is said", "[learn][fit]") {
  const std::vector<Index> widths{1};
  CHECK_THROWS_WITH(learn::fit_target_of("next"), fault_at("\"next\"", "no pattern to fit"));
  const auto fit = [&](const Mat<float>& X, const Mat<float>& P) { fit_widths(X, {}, P, widths, 0, 1, nullptr); };
  CHECK_THROWS_WITH(fit(rows_of(129, 2), target(FitTarget::identity, 129)),
                    fault_at("the sentence", "129 tokens", "at most 128"));
  CHECK_THROWS_WITH(fit(rows_of(1, 2), target(FitTarget::previous, 1)),
                    fault_at("the pattern", "asks nothing of any token"));
  CHECK_THROWS_WITH(fit(1e38f * rows_of(3, 2) * 100, target(FitTarget::identity, 3)), fault_at("X", "not finite"));
}

TEST_CASE("fit: the usual widths are powers of two with n - 1 among them", "[learn][fit]") {
  CHECK(learn::usual_fit_widths(11) == std::vector<Index>{1, 2, 4, 8, 10, 16});
  CHECK(learn::usual_fit_widths(9) == std::vector<Index>{1, 2, 4, 8, 16});
  CHECK(learn::usual_fit_widths(8) == std::vector<Index>{1, 2, 4, 7, 8});
  CHECK(learn::usual_fit_widths(2) == std::vector<Index>{1, 2});
  CHECK(learn::usual_fit_widths(1) == std::vector<Index>{1});
}

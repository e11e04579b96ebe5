// Heads fitted to several relations at once: the closed form against a sum over all places, gradients by differences,
// and the two walls.
#include "core/learn/fit/fit_heads.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/error.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using Catch::Contains;
using learn::fit_heads;
using learn::fit_heads_curve;
using learn::HeadsProblem;

namespace {

// E as the header defines it, place by place, from the weights alone.
double by_definition(const HeadsProblem& problem, Index heads, const learn::HeadsGradient& at) {
  const Index n = problem.tokens, d = problem.d_model, d_k = d / heads, width = d / problem.relations;
  std::vector<Mat<double>> A, G;
  for (Index h = 0; h < heads; ++h) {
    const Mat<double> Q = at.X * at.W_Q.middleCols(h * d_k, d_k), K = at.X * at.W_K.middleCols(h * d_k, d_k);
    Mat<double> pattern = (Q * K.transpose() / std::sqrt(static_cast<double>(d_k))).array().exp();
    for (Index i = 0; i < n; ++i) pattern.row(i) /= pattern.row(i).sum();
    A.push_back(pattern);
    G.push_back(at.W_V.middleCols(h * d_k, d_k) * at.W_O.middleRows(h * d_k, d_k));
  }
  double error = 0, all = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Mat<double> wanted = Mat<double>::Zero(d, d), made = Mat<double>::Zero(d, d);
      for (Index r = 0; r < problem.relations; ++r)
        if ((i + 1 + r) % n == j) wanted.middleCols(r * width, width) += at.U.middleCols(r * width, width);
      for (std::size_t h = 0; h < A.size(); ++h) made += A[h](i, j) * G[h];
      error += (made - wanted).squaredNorm();
      all += wanted.squaredNorm();
    }
  return error / all;
}

}  // namespace

TEST_CASE("fit heads: E is what its definition says, and U turns lengths into themselves", "[learn][fit]") {
  const auto [problem, heads] =
      GENERATE(table<HeadsProblem, Index>({{{5, 6, 2}, 3}, {{4, 4, 1}, 4}, {{7, 12, 3}, 1}, {{3, 8, 2}, 8}}));
  const learn::HeadsGradient made = heads_gradient(problem, heads, 2);
  CHECK(made.error == Approx(by_definition(problem, heads, made)).epsilon(1e-12));
  CHECK((made.U.transpose() * made.U - Mat<double>::Identity(problem.d_model, problem.d_model)).norm() < 1e-12);
}

TEST_CASE("fit heads: the gradient is that of central differences", "[learn][fit]") {
  const auto [problem, heads] = GENERATE(table<HeadsProblem, Index>({{{5, 6, 2}, 3}, {{4, 4, 2}, 1}, {{5, 6, 3}, 6}}));
  const learn::HeadsGradient made = heads_gradient(problem, heads, 1);
  std::vector<Mat<double>> at{made.W_Q, made.W_K, made.W_V, made.W_O};
  const Mat<double>* by[] = {&made.by_Q, &made.by_K, &made.by_V, &made.by_O};
  for (std::size_t w = 0; w < 4; ++w)
    for (Index k = 0; k < at[w].size(); ++k) {
      const double before = at[w].data()[k], step = 1e-3;
      const auto error = [&](double off) {
        at[w].data()[k] = before + off;
        return heads_gradient(problem, heads, 1, at).error;
      };
      const double slope = (8 * (error(step) - error(-step)) - (error(2 * step) - error(-2 * step))) / (12 * step);
      at[w].data()[k] = before;
      INFO(w << " " << k);
      CHECK(by[w]->data()[k] == Approx(slope).epsilon(1e-6).margin(1e-8));
    }
}

TEST_CASE("fit heads: too few fail, too narrow ones fail, and between lies a valley, on every seed", "[learn][fit]") {
  const HeadsProblem problem;
  ThreadPool pool(2);
  std::atomic<int> done = 0;
  const std::vector<Index> heads = learn::usual_fit_heads(problem.d_model);
  REQUIRE(heads == std::vector<Index>{1, 2, 4, 8, 16, 32});
  const learn::HeadsCurve curve = fit_heads_curve(problem, heads, 0, 5, &pool, Progress{{}, &done});
  CHECK(done == 31);
  for (std::size_t s = 0; s < 5; ++s) {
    const auto error = [&](std::size_t k) { return curve.points[k].errors[s]; };
    CHECK(error(0) == Approx(0.75).margin(0.005));  // the bound 1 - h / m, which both reach
    CHECK(error(1) == Approx(0.5).margin(0.005));
    CHECK(error(2) < 0.06);
    CHECK(error(3) < 0.13);
    CHECK(error(4) > 0.05);
    CHECK(error(4) < 0.25);
    CHECK(error(5) > 0.7);
    CHECK(std::min(error(2), error(3)) < 0.001);
  }
  // Four heads: each relation has one of its own.
  const Mat<float>& served = curve.points[2].best.served;
  for (Index r = 0; r < 4; ++r) CHECK(served.col(r).maxCoeff() > 0.95f);
}

TEST_CASE("fit heads: no fewer heads than relations come below the bound", "[learn][fit]") {
  const HeadsProblem problem{9, 12, 3};
  for (const Index heads : {1, 2})
    for (const std::uint64_t seed : {0, 1, 2})
      CHECK(fit_heads(problem, heads, seed).error >= 1 - static_cast<double>(heads) / 3 - 1e-4);
}

TEST_CASE("fit heads: one head asked for two values settles on their average", "[learn][fit]") {
  const HeadsProblem problem = GENERATE(HeadsProblem{}, HeadsProblem{16, 64, 4}, HeadsProblem{16, 32, 2});
  const std::vector<Index> heads{1};
  const learn::TwoTargets two = fit_heads_curve(problem, heads, 0, 1, nullptr).two;
  CHECK(two.on_first == Approx(0.5).margin(0.02));
  CHECK(two.on_second == Approx(0.5).margin(0.02));
  CHECK(two.to_average < 0.02 * two.half_way);
  CHECK(two.to_first == Approx(two.half_way).epsilon(0.02));
  CHECK(two.to_second == Approx(two.half_way).epsilon(0.02));
  // Two independent values of d_model normal numbers are sqrt(2 d_model) apart, within a few percent.
  CHECK(two.half_way == Approx(std::sqrt(static_cast<double>(problem.d_model) / 2)).epsilon(0.1));
}

TEST_CASE("fit heads: the same bits at any number of threads, and none where it is stopped", "[learn][fit]") {
  const HeadsProblem problem{6, 8, 2};
  const std::vector<Index> heads{1, 2, 8};
  const learn::HeadsCurve alone = fit_heads_curve(problem, heads, 7, 2, nullptr);
  for (const int threads : {2, 3}) {
    ThreadPool pool(threads);
    const learn::HeadsCurve many = fit_heads_curve(problem, heads, 7, 2, &pool);
    for (std::size_t k = 0; k < heads.size(); ++k) {
      CHECK(many.points[k].errors == alone.points[k].errors);
      CHECK(many.points[k].best.served == alone.points[k].best.served);
    }
    CHECK(many.two.A == alone.two.A);
  }
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(fit_heads_curve(problem, heads, 0, 1, nullptr, Progress{stop.get_token(), nullptr}), Stopped);
}

TEST_CASE("fit heads: what is no problem is said", "[learn][fit]") {
  const std::vector<Index> heads{1};
  const auto sentence_of = [&](const HeadsProblem& problem, std::vector<Index> counts = {1}) {
    try {
      fit_heads_curve(problem, counts, 0, 1, nullptr);
    } catch (const InputError& fault) {
      return std::string(fault.what());
    }
    return std::string("none");
  };
  CHECK(sentence_of({12, 32, 5}) == "5 relations do not divide d_model = 32; each needs as many columns of the output");
  CHECK_THAT(sentence_of({4, 32, 4}), Contains("fewer than tokens"));
  CHECK_THAT(sentence_of({12, 32, 0}), Contains("1 to 16"));
  CHECK_THAT(sentence_of({1, 32, 1}), Contains("2 to 64"));
  CHECK_THAT(sentence_of({12, 256, 4}), Contains("1 to 128"));
  CHECK(sentence_of({12, 32, 4}, {3}) == "3 heads do not divide d_model = 32");
  CHECK_THAT(sentence_of({12, 32, 4}, {0}), Contains("0 heads"));
}

TEST_CASE("fit heads: over many seeds the valley is there on each", "[learn][fit][slow]") {
  if (test::kSanitized) return;  // the five of the test before it
  const HeadsProblem problem;
  const std::vector<Index> heads{2, 4, 8, 16, 32};
  ThreadPool pool(2);
  const int seeds = test::cases(100, 20, 0);
  const learn::HeadsCurve curve = fit_heads_curve(problem, heads, 0, seeds, &pool);
  int whole_by_four = 0, whole_by_eight = 0;
  for (std::size_t s = 0; s < static_cast<std::size_t>(seeds); ++s) {
    const double valley = std::min(curve.points[1].errors[s], curve.points[2].errors[s]);
    CHECK(valley < 0.05);
    CHECK(curve.points[0].errors[s] > 0.49);
    CHECK(curve.points[4].errors[s] > 0.7);
    whole_by_four += curve.points[1].errors[s] < 0.01;
    whole_by_eight += curve.points[2].errors[s] < 0.01;
  }
  CHECK(whole_by_four >= 0.9 * seeds);
  CHECK(whole_by_eight >= 0.8 * seeds);
}

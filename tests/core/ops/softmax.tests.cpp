#include "core/ops/softmax.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/linalg/random.h"

using namespace hydra;

namespace {
template <class S>
constexpr S kMasked = -std::numeric_limits<S>::infinity();
}

TEMPLATE_TEST_CASE("softmax: values worked by hand", "[core][softmax]", float, double) {
  using S = TestType;
  Mat<S> scores(2, 3), out(2, 3);
  scores << 0, std::log(S(2)), std::log(S(5)), 1, 1, 1;
  softmax::forward<S>(scores, out);
  CHECK(out(0, 0) == Approx(1.0 / 8));
  CHECK(out(0, 1) == Approx(2.0 / 8));
  CHECK(out(0, 2) == Approx(5.0 / 8));
  CHECK(out(1, 0) == Approx(1.0 / 3));
}

TEMPLATE_TEST_CASE("softmax: parts of a row are each a softmax by themselves, to the same bits", "[core][softmax]",
                   float, double) {
  using S = TestType;
  Mat<S> scores(1, 6), out(1, 6);
  scores << 0, std::log(S(3)), std::log(S(4)), 5, 5, 5 + std::log(S(2));
  softmax::forward<S>(scores, out, std::nullopt, 2);
  for (const auto& [col, share] : {std::pair(0, 1.0 / 8), {1, 3.0 / 8}, {2, 4.0 / 8}, {3, 0.25}, {4, 0.25}, {5, 0.5}})
    CHECK(out(0, col) == Approx(share));
  Random random(3);
  for (const Index width : {1, 7, 16, 33}) {
    Mat<S> many(3, 3 * width), parts(3, 3 * width), alone(3, width);
    for (Index k = 0; k < many.size(); ++k) many.data()[k] = static_cast<S>(random.normal());
    softmax::forward<S>(many, parts, std::nullopt, 3);
    for (Index k = 0; k < 3; ++k) {
      softmax::forward<S>(many.middleCols(k * width, width), alone);
      CHECK(parts.middleCols(k * width, width) == alone);
    }
  }
}

TEMPLATE_TEST_CASE("softmax: a fully masked row is all zeros, a masked score exactly zero", "[core][softmax]", float,
                   double) {
  using S = TestType;
  for (const Index n : {1, 3, 8, 16, 17, 40}) {  // below, at and above the kernel's chunk
    Mat<S> scores = Mat<S>::Constant(3, n, kMasked<S>), out(3, n);
    scores(1, n - 1) = 2;
    scores.row(2).setLinSpaced(-3, 3);
    if (n > 1) scores(2, n / 2) = kMasked<S>;
    softmax::forward<S>(scores, out);
    CHECK(out.row(0).isZero(0));
    CHECK(out(1, n - 1) == 1);
    CHECK(out.row(1).head(n - 1).isZero(0));
    if (n > 1) CHECK(out(2, n / 2) == 0);
    CHECK(out.row(2).sum() == Approx(1));
  }
}

TEMPLATE_TEST_CASE("softmax: scores of any finite size do not overflow", "[core][softmax]", float, double) {
  using S = TestType;
  const S big = std::numeric_limits<S>::max();
  Mat<S> scores(3, 4), out(3, 4);
  scores << 1e4, -1e4, 0, 1e4, -1e4, -1e4, -1e4, -1e4, big, -big, 0, kMasked<S>;
  softmax::forward<S>(scores, out);
  CHECK(out.allFinite());
  CHECK(out(0, 0) == Approx(0.5));
  CHECK(out(0, 1) == Approx(0).margin(1e-30));
  CHECK(out(1, 2) == Approx(0.25));
  CHECK(out(2, 0) == Approx(1));
}

TEMPLATE_TEST_CASE("softmax: a row with a NaN or +inf becomes NaN and leaves the others alone", "[core][softmax]",
                   float, double) {
  using S = TestType;
  const Index n = GENERATE(2, 19);
  const Index place = GENERATE(0, 1);
  const S bad = GENERATE(std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity());
  Mat<S> scores = Mat<S>::Zero(2, n), out(2, n);
  scores(0, place) = bad;
  softmax::forward<S>(scores, out);
  CHECK(out.row(0).array().isNaN().all());
  CHECK(out.row(1).sum() == Approx(1));
}

TEMPLATE_TEST_CASE("softmax: agrees with the formula, wherever the row starts, in place too", "[core][softmax]", float,
                   double) {
  using S = TestType;
  Random random(3);
  for (Index n = 1; n < 70; ++n) {
    Mat<S> scores(1, n + 1), out(1, n);
    for (Index j = 0; j <= n; ++j) scores(0, j) = static_cast<S>(random.uniform(-20, 20));
    softmax::forward<S>(scores.rightCols(n), out);
    const Eigen::Array<long double, 1, Eigen::Dynamic> e =
        scores.rightCols(n).template cast<long double>().array().exp();
    for (Index j = 0; j < n; ++j)
      CHECK(std::abs(static_cast<long double>(out(0, j)) / (e(j) / e.sum()) - 1) <
            64 * std::numeric_limits<S>::epsilon());
    Mat<S> in_place = scores.rightCols(n);
    softmax::forward<S>(in_place, in_place);
    CHECK(in_place == out);
  }
}

TEST_CASE("softmax: adding a constant to a row changes nothing", "[core][softmax]") {
  Mat<double> scores(1, 5), shifted(1, 5), a(1, 5), b(1, 5);
  scores << 0.5, -1, 3, 2.25, 0;
  shifted = scores.array() + 64;  // exact in binary
  softmax::forward<double>(scores, a);
  softmax::forward<double>(shifted, b);
  CHECK(a == b);
}

// Norms and activations by hand.
#include "core/ops/norm.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/ops/activate.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

template <class S>
Mat<S> row(std::initializer_list<S> values) {
  Mat<S> made(1, static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), made.data());
  return made;
}

template <class S>
Mat<S> normed(const Mat<S>& X, const Mat<S>& gain, const Mat<S>& shift, NormKind kind, double epsilon) {
  Mat<S> Y(X.rows(), X.cols());
  norm::forward<S>(X, gain, shift, kind, epsilon, Y);
  return Y;
}

}  // namespace

TEST_CASE("norm: three numbers by hand", "[core][ops]") {
  // 1, 4, 7: mean 4, variance (9 + 0 + 9) / 3 = 6; with an epsilon of 3 the root is 3.
  const auto x = row<double>({1, 4, 7}), gain = row<double>({1, 10, 2}), shift = row<double>({0, 5, -1});
  CHECK(normed(x, gain, shift, NormKind::layer, 3) == row<double>({-1, 5, 1}));
  // 1, 2, 2: mean square 3; with an epsilon of 1 the root is 2.
  CHECK(normed(row<double>({1, 2, 2}), gain, {}, NormKind::rms, 1) == row<double>({0.5, 10, 2}));
}

TEST_CASE("norm: laws of its result", "[core][ops]") {
  Random random(3);
  for (const Index width : {2, 3, 8, 31, 64}) {
    const Mat<double> X = random_matrix<double>(random, 5, width, 10), ones = Mat<double>::Ones(1, width);
    const Mat<double> Y = normed(X, ones, {}, NormKind::layer, 1e-12);
    for (Index i = 0; i < 5; ++i) {
      CHECK(std::abs(Y.row(i).sum()) < 1e-9);
      CHECK(Y.row(i).squaredNorm() == Approx(static_cast<double>(width)));
    }
    // Neither a number added to a row nor a factor changes it; RMSNorm keeps the direction.
    CHECK(normed<double>((3 * X).array() + 7, ones, {}, NormKind::layer, 1e-12).isApprox(Y, 1e-6));
    const Mat<double> R = normed(X, ones, {}, NormKind::rms, 1e-12);
    for (Index i = 0; i < 5; ++i) CHECK(R.row(i).normalized().isApprox(X.row(i).normalized()));
  }
  // A row of equal numbers has no direction: its shift is left.
  CHECK(normed<float>(Mat<float>::Constant(1, 4, 3), Mat<float>::Ones(1, 4), Mat<float>::Constant(1, 4, 0.5f),
                      NormKind::layer, 1e-5) == Mat<float>::Constant(1, 4, 0.5f));
}

TEST_CASE("norm: the bits of a row depend on its numbers alone, wherever it stands", "[core][ops]") {
  Random random(4);
  for (const Index width : {3, 8, 17, 64}) {
    const Mat<float> X = random_matrix<float>(random, 9, width), gain = random_matrix<float>(random, 1, width);
    const Mat<float> all = normed<float>(X, gain, gain, NormKind::layer, 1e-5);
    for (Index i = 0; i < 9; ++i) {
      const Mat<float> one = X.row(i);
      CHECK(normed<float>(one, gain, gain, NormKind::layer, 1e-5) == Mat<float>(all.row(i)));
    }
  }
}

TEST_CASE("norm: a part of a row by the root of the whole is that part of the normed row", "[core][ops]") {
  Random random(9);
  const Mat<double> X = random_matrix<double>(random, 3, 10), gain = random_matrix<double>(random, 1, 10);
  const Mat<double> whole = normed<double>(X, gain, Mat<double>(), NormKind::rms, 1e-3);
  std::vector<double> roots;
  for (Index i = 0; i < 3; ++i) roots.push_back(norm::size_of(X.row(i).data(), 10, NormKind::rms, 1e-3).root);
  Mat<double> part(3, 4);
  norm::forward_of_part<double>(X.middleCols(5, 4), roots, gain.middleCols(5, 4), part);
  CHECK(part == whole.middleCols(5, 4));
}

TEST_CASE("activate: in single precision it is what it is in double, wherever a number stands", "[core][ops]") {
  Random random(8);
  for (const Activation activation :
       {Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu, Activation::relu_squared})
    for (const Index width : {1, 7, 255, 256, 257, 600}) {
      const Mat<float> U = random_matrix<float>(random, 3, width, 12);
      Mat<float> H(3, width), one(1, 1);
      activate::forward<float>(U, Mat<float>(), activation, H);
      for (Index i = 0; i < 3; ++i)
        for (Index k = 0; k < width; ++k) {
          const double exact = activate::value(activation, static_cast<double>(U(i, k)));
          const double off = std::abs(static_cast<double>(H(i, k)) - exact);
          if (off > 3e-5 * std::abs(exact) + 1e-30)
            FAIL(static_cast<int>(activation) << " of " << U(i, k) << ": " << H(i, k) << ", not " << exact);
          if (off > 1e-6 * std::abs(exact) + 1e-7)
            FAIL(static_cast<int>(activation) << " of " << U(i, k) << ": " << H(i, k) << ", not " << exact);
          activate::forward<float>(Mat<float>::Constant(1, 1, U(i, k)), Mat<float>(), activation, one);
          REQUIRE(one(0, 0) == H(i, k));
        }
    }
}

TEST_CASE("activate: known values", "[core][ops]") {
  using A = Activation;
  CHECK(activate::value(A::relu, -2) == 0);
  CHECK(activate::value(A::relu, 3) == 3);
  CHECK(std::isnan(activate::value(A::relu, std::nan(""))));
  CHECK(activate::value(A::gelu, 0) == 0);
  CHECK(activate::value(A::gelu, 1) == Approx(0.8413447460685429));  // Phi(1)
  CHECK(activate::value(A::gelu, -1) == Approx(-0.15865525393145707));
  CHECK(activate::value(A::silu, std::log(3)) == Approx(0.75 * std::log(3)));
  CHECK(activate::value(A::relu_squared, -2) == 0);
  CHECK(activate::value(A::relu_squared, 3) == 9);
  CHECK(activate::slope(A::relu_squared, 3) == 6);
  CHECK(activate::slope(A::relu_squared, -3) == 0);
  CHECK(std::isnan(activate::value(A::relu_squared, std::nan(""))));
  for (double u = -6; u <= 6; u += 0.37)  // the two are close, and no more
    CHECK(std::abs(activate::value(A::gelu, u) - activate::value(A::gelu_tanh, u)) < 1e-3);
}

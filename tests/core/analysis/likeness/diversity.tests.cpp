// How many heads there are in effect, and ranks from QR factors.
#include "core/analysis/likeness/diversity.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/models/layers.h"
#include "tests/support/singular_values.h"

using namespace hydra;
using namespace hydra::test;

TEST_CASE("effective number: worked by hand", "[core][analysis][diversity]") {
  CHECK(effective_number({}) == 0);
  CHECK(effective_number({0, 0}) == 0);
  CHECK(effective_number({0, 3, 0}) == Approx(1));
  CHECK(effective_number({2, 2, 2, 2}) == Approx(4));
  CHECK(effective_number({3, -5, 3}) == Approx(2));
  CHECK(effective_number({3, 1}) == Approx(4 / std::pow(3, 0.75)));  // exp(-(3/4) ln(3/4) - (1/4) ln(1/4))
}

TEST_CASE("effective heads: 1 when all are the same, h when they are orthogonal and equally large",
          "[core][analysis][diversity]") {
  for (const Index h : {1, 2, 8, 96}) {
    CAPTURE(h);
    CHECK(effective_heads(Mat<double>::Constant(h, h, 3.5)) == Approx(1));
    CHECK(effective_heads(3.5 * Mat<double>::Identity(h, h)) == Approx(static_cast<double>(h)));
  }
  Mat<double> pairs = Mat<double>::Zero(4, 4);  // two heads, each twice
  pairs.topLeftCorner(2, 2).setOnes();
  pairs.bottomRightCorner(2, 2).setOnes();
  CHECK(effective_heads(pairs) == Approx(2));
  CHECK(effective_heads(Mat<double>::Zero(3, 3)) == 0);
  Mat<double> sizes = pairs;  // however large their patterns are
  sizes.row(3) *= 10, sizes.col(3) *= 10;
  CHECK(effective_heads(sizes) == Approx(2));
  // An identity and a uniform pattern of 12 tokens: products 12, 1 and 1, cosine 1 / √12, eigenvalues 1 ± that.
  const double c = 1 / std::sqrt(12.0), p = (1 + c) / 2, q = (1 - c) / 2;
  CHECK(effective_heads((Mat<double>(2, 2) << 12, 1, 1, 1).finished()) ==
        Approx(std::exp(-p * std::log(p) - q * std::log(q))));
  CHECK(effective_sentence(8, 2.3456) == "8 heads: effective rank 2.3");
  CHECK(effective_sentence(1, 1) == "1 head: effective rank 1.0");
  CHECK(effective_sentence(3, 0) == "3 heads attend to nothing");
}

TEST_CASE("mean pairwise: the finite entries off the diagonal", "[core][analysis][diversity]") {
  Mat<double> values(3, 3);
  values << 9, 1, std::numeric_limits<double>::quiet_NaN(), 2, 9, std::numeric_limits<double>::infinity(), 3, 6, 9;
  CHECK(mean_pairwise(values) == 3);
  CHECK(std::isnan(mean_pairwise(Mat<double>::Ones(1, 1))));
}

TEST_CASE("ranks: a product's spectrum is that of the product when it is built", "[core][analysis][diversity]") {
  Random random(7);
  struct Shape {
    Index m, n, k;
  };
  for (const Shape s : {Shape{1, 1, 1}, {1, 5, 3}, {12, 12, 4}, {5, 9, 16}, {9, 5, 7}, {40, 30, 20}, {8, 30, 10}}) {
    const Mat<float> left = random_matrix<float>(random, s.m, s.k), right = random_matrix<float>(random, s.n, s.k);
    const Spectrum spectrum = product_spectrum(left, right);
    const Eigen::MatrixXd built = left.cast<double>() * right.cast<double>().transpose();
    const std::vector<double> values = test::plain_singular_values(built);
    CAPTURE(s.m, s.n, s.k);
    REQUIRE(static_cast<Index>(spectrum.values.size()) == std::min({s.m, s.n, s.k}));
    for (std::size_t k = 0; k < spectrum.values.size(); ++k)
      CHECK(spectrum.values[k] == Approx(values[k]).margin(1e-12 * values[0]));
    CHECK(spectrum.numerical_rank == std::min({s.m, s.n, s.k}));
    CHECK(spectrum.effective_rank <= static_cast<double>(spectrum.numerical_rank) + 1e-9);
    const Spectrum whole = matrix_spectrum(left);
    REQUIRE(static_cast<Index>(whole.values.size()) == std::min(s.m, s.k));
    CHECK(whole.values[0] == Approx(test::plain_singular_values(left.cast<double>())[0]));
  }
}

TEST_CASE("ranks: what depends on one another, what is zero, what is not finite", "[core][analysis][diversity]") {
  Random random(8);
  const Mat<float> left = random_matrix<float>(random, 10, 1), right = random_matrix<float>(random, 6, 1);
  Mat<float> thrice(10, 3);
  thrice << left, 2 * left, -left;
  const Spectrum one = product_spectrum(thrice, random_matrix<float>(random, 6, 3));
  CHECK(one.values.size() == 3);
  CHECK(one.numerical_rank == 1);
  CHECK(one.effective_rank == Approx(1).margin(1e-5));
  const Spectrum zero = product_spectrum(Mat<float>::Zero(4, 2), Mat<float>::Ones(5, 2));
  CHECK(zero.numerical_rank == 0);
  CHECK(zero.effective_rank == 0);
  const Spectrum none = matrix_spectrum(Mat<float>::Constant(3, 2, std::numeric_limits<float>::quiet_NaN()));
  CHECK(none.values.size() == 2);
  CHECK(std::isnan(none.values[0]));
  CHECK(none.numerical_rank == 0);
}

TEST_CASE("ranks: of a head, at most d_k and n", "[core][analysis][diversity]") {
  Random random(9);
  for (const Index n : {1, 3, 20}) {
    const LayerTrace<float> layer = forward<float>(random_layer<float>(random, n, 24, 4));
    for (int head = 0; head < 4; ++head) {
      const HeadTrace<float>& trace = layer.heads[static_cast<std::size_t>(head)];
      const HeadRanks ranks{product_spectrum(*trace.Q, *trace.K), query_key_spectrum(layer.input.weights, 4, head)};
      CAPTURE(n, head);
      CHECK(ranks.scores.numerical_rank == std::min<Index>(n, 6));
      CHECK(ranks.query_key.numerical_rank == 6);
      CHECK(static_cast<Index>(ranks.query_key.values.size()) == 6);
      const Mat<float> scores = *layer.heads[static_cast<std::size_t>(head)].scores / layer.input.score_factor(head);
      CHECK(ranks.scores.values[0] == Approx(matrix_spectrum(scores).values[0]).epsilon(1e-5));
    }
  }
}

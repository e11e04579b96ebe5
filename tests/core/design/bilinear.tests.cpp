#include "core/design/bilinear.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/linalg/random.h"
#include "tests/support/singular_values.h"

using namespace hydra;

namespace {

Mat<float> random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Mat<float> M(rows, cols);
  for (Index k = 0; k < M.size(); ++k) M.data()[k] = static_cast<float>(random.normal());
  return M;
}

Mat<float> form(const Factors& f) { return f.left * f.right.transpose(); }

// Singular values above 1e-5 of the largest.
Index rank_of(const Factors& f) {
  const std::vector<double> values = test::plain_singular_values(form(f).cast<double>());
  return std::count_if(values.begin(), values.end(), [&](double value) { return value > 1e-5 * values[0]; });
}

float largest_change_elsewhere(const Factors& before, const Factors& after, Index row, Index col) {
  Mat<float> change = form(after) - form(before);
  change(row, col) = 0;
  return change.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("bilinear: an entry of an empty head is set alone, by one column", "[bilinear]") {
  const Factors empty{Mat<float>::Zero(6, 2), Mat<float>::Zero(6, 2)};
  const Factors one = with_entry(empty, 4, 1, -9);
  CHECK(form(one)(4, 1) == -9);
  CHECK(largest_change_elsewhere(empty, one, 4, 1) == 0);
  CHECK(one.left(4, 0) == -3);
  CHECK(one.right(1, 0) == 3);
  CHECK((one.left.col(1).array() == 0).all());
  const Factors changed = with_entry(one, 4, 1, 2);  // the same column takes the change
  CHECK(form(changed)(4, 1) == Approx(2));
  CHECK((changed.left.col(1).array() == 0).all());
  const Factors row = with_entry(changed, 5, 1, 7);  // another query that asks for the same key: no new column
  CHECK(form(row)(5, 1) == Approx(7));
  CHECK(form(row)(4, 1) == Approx(2));
  CHECK((row.left.col(1).array() == 0).all());
}

TEST_CASE("bilinear: while columns are free every other entry stays", "[bilinear]") {
  Factors f{Mat<float>::Zero(8, 3), Mat<float>::Zero(8, 3)};
  f.left.col(0) = random_matrix(8, 1, 1);
  f.right.col(0) = random_matrix(8, 1, 2);
  const Factors changed = with_entry(f, 2, 5, 4.5f);
  CHECK(form(changed)(2, 5) == Approx(4.5));
  CHECK(largest_change_elsewhere(f, changed, 2, 5) < 1e-6f);
  CHECK(rank_of(f) == 1);
  CHECK(rank_of(changed) == 2);
}

TEST_CASE("bilinear: a full head takes the nearest form of its rank", "[bilinear]") {
  const Index d = 10, k = 3;
  const Factors f{random_matrix(d, k, 3), random_matrix(d, k, 4)};
  const Factors changed = with_entry(f, 7, 2, 6);
  CHECK(changed.left.cols() == k);
  Mat<float> wanted = form(f);
  wanted(7, 2) = 6;
  // Eckart and Young: the distance to the nearest rank-k matrix is the next singular value, and nothing is nearer.
  const std::vector<double> values = test::plain_singular_values(wanted.cast<double>());
  const double distance = (form(changed) - wanted).cast<double>().norm();
  CHECK(distance == Approx(values[k]).epsilon(1e-4));
  CHECK(form(changed)(7, 2) > form(f)(7, 2));
}

TEST_CASE("bilinear: nothing of its rank is nearer, at any size, scale and rank", "[bilinear]") {
  Random random(11);
  for (int trial = 0; trial < 400; ++trial) {
    const auto d = static_cast<Index>(1 + random.bits() % 12), k = static_cast<Index>(1 + random.bits() % 13);
    Factors f{random_matrix(d, k, 100 + 2 * trial), random_matrix(d, k, 101 + 2 * trial)};
    if (trial % 3 == 1) f.left *= 1e4f, f.right *= 1e-3f;
    if (trial % 4 == 2 && k > 1) f.left.col(k - 1) = f.left.col(0);  // of less rank than it has columns
    if (trial % 4 == 3 && k > 1) f.right.col(k - 1) = f.right.col(0);
    const auto row = static_cast<Index>(random.bits() % d), col = static_cast<Index>(random.bits() % d);
    const auto value = static_cast<float>(form(f).norm() * static_cast<float>(random.normal()));
    const Factors changed = with_entry(f, row, col, value);
    Eigen::MatrixXd wanted = f.left.cast<double>() * f.right.cast<double>().transpose();
    wanted(row, col) = static_cast<double>(value);
    const std::vector<double> values = test::plain_singular_values(wanted);
    const double least = k < d ? Eigen::Map<const Eigen::VectorXd>(values.data(), d).tail(d - k).norm() : 0;
    const double distance = (changed.left.cast<double>() * changed.right.cast<double>().transpose() - wanted).norm();
    CAPTURE(trial, d, k, value, least, distance, wanted.norm());
    CHECK(distance <= least * (1 + 1e-5) + 1e-5 * wanted.norm());
    CHECK(changed.left.cols() == k);
  }
}

TEST_CASE("bilinear: a small change of an entry leaves the columns nearly as they were", "[bilinear]") {
  const Factors f{random_matrix(24, 6, 21), random_matrix(24, 6, 22)};
  const float there = form(f)(3, 9);
  const Factors changed = with_entry(f, 3, 9, there + 0.01f);
  CHECK((changed.left - f.left).norm() < 0.02f * f.left.norm());
  CHECK((changed.right - f.right).norm() < 0.02f * f.right.norm());
}

TEST_CASE("bilinear: the value that is there already changes nothing", "[bilinear]") {
  const Factors f{random_matrix(5, 2, 5), random_matrix(5, 2, 6)};
  const double there = f.left.row(1).cast<double>().dot(f.right.row(3).cast<double>());
  const Factors same = with_entry(f, 1, 3, static_cast<float>(there));
  CHECK((form(same) - form(f)).cwiseAbs().maxCoeff() < 1e-6f);
}

TEST_CASE("bilinear: more columns than rows, and a head of one column", "[bilinear]") {
  const Factors wide{random_matrix(3, 5, 7), random_matrix(3, 5, 8)};
  const Factors changed = with_entry(wide, 0, 2, 1);
  CHECK(form(changed)(0, 2) == Approx(1).margin(1e-5));
  CHECK(largest_change_elsewhere(wide, changed, 0, 2) < 1e-5f);
  const Factors thin{random_matrix(4, 1, 9), random_matrix(4, 1, 10)};
  CHECK(form(with_entry(thin, 3, 3, 50))(3, 3) == Approx(50).epsilon(0.05));  // one large entry is nearly of rank one
}

TEST_CASE("bilinear: factors that are almost nothing take an entry without leaving the range of weights",
          "[bilinear]") {
  for (const float tiny : {5e-43f, 1e-38f, 1e-30f})
    for (const float other : {0.0f, 1.5f, tiny}) {
      Factors factors{Mat<float>::Constant(1, 1, other), Mat<float>::Constant(1, 1, tiny)};
      const Factors set = with_entry(factors, 0, 0, 0.5f);
      CAPTURE(tiny, other);
      CHECK(set.left(0, 0) * set.right(0, 0) == Approx(0.5));
      CHECK(std::abs(set.left(0, 0)) < 1e12f);
    }
}

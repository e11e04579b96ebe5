#include "core/design/bilinear.h"

#include <cmath>

#include "core/linalg/decompositions.h"
#include "core/linalg/random.h"

namespace hydra {

namespace {

using Matrix = Eigen::MatrixXd;

bool only_entry(const Mat<float>& M, Index col, Index row) {
  return M(row, col) != 0 && (M.col(col).array() != 0).count() == 1;
}

// Adds change / by to the entry; not where so little stands by it that the sum would leave the range of weights.
bool add_quotient(float& entry, double change, float by) {
  constexpr double kMost = 1e12;
  const double sum = static_cast<double>(entry) + change / static_cast<double>(by);
  if (!(std::abs(sum) <= kMost)) return false;
  entry = static_cast<float>(sum);
  return true;
}

// The factors with the change as one column more: its form is the wanted one.
struct Widened {
  Matrix left, right;  // [d x (k + 1)]
};

Widened widened(const Factors& old, Index row, Index col, double change) {
  const Index d = old.left.rows(), k = old.left.cols();
  const Matrix left = old.left.cast<double>(), right = old.right.cast<double>();
  // As unequal as they are, so that mixing the columns does not add large numbers that cancel.
  const double root = std::sqrt(std::abs(change)), unequal = std::sqrt(left.norm() / right.norm());
  Widened wide{Matrix(d, k + 1), Matrix(d, k + 1)};
  wide.left << left, Eigen::VectorXd::Unit(d, row) * std::copysign(root * unequal, change);
  wide.right << right, Eigen::VectorXd::Unit(d, col) * (root / unequal);
  return wide;
}

// The triangle of a QR, its diagonal kept from zero: to solve by it then gives directions where the factor is singular.
Matrix triangle(const OrthogonalFactors& factors) {
  Matrix R = factors.R();
  const double least = 1e-15 * R.diagonal().cwiseAbs().maxCoeff();
  for (Index k = 0; k < R.cols(); ++k)
    if (std::abs(R(k, k)) < least) R(k, k) = least;
  return R;
}

// The right singular vector of A B^T for its least singular value, by inverse iteration; A and B are upper triangles.
Eigen::VectorXd least_direction(const Matrix& A, const Matrix& B) {
  constexpr int kMostSteps = 200;
  constexpr double kSettled = 1e-13;  // relative, of the value
  const auto upper_A = A.triangularView<Eigen::Upper>(), upper_B = B.triangularView<Eigen::Upper>();
  const auto lower_A = A.transpose().triangularView<Eigen::Lower>();
  const auto lower_B = B.transpose().triangularView<Eigen::Lower>();
  Random random(1);
  Eigen::VectorXd v(A.cols());
  for (Index k = 0; k < v.size(); ++k) v(k) = random.normal();
  v.normalize();
  double before = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    Eigen::VectorXd next = lower_B.solve(upper_A.solve(lower_A.solve(upper_B.solve(v))));
    const double grown = next.norm();  // towards 1 / value^2
    if (!std::isfinite(grown) || grown == 0) break;
    v = next / grown;
    if (std::abs(grown - before) <= kSettled * grown) break;
    before = grown;
  }
  return v;
}

// The nearest form of one column less: without its least singular value. The columns are mixed no more than it takes to
// free one (a reflection that brings the combination z of columns, which is no longer there, to the last place).
Factors nearest(const Factors& old, Index row, Index col, double change) {
  const Index d = old.left.rows(), k = old.left.cols();
  Widened wide = widened(old, row, col, change);
  Eigen::VectorXd z;
  if (k < d) {
    const OrthogonalFactors qr_left(wide.left), qr_right(wide.right);
    const Matrix A = triangle(qr_left), B = triangle(qr_right);
    const Eigen::VectorXd v = least_direction(A, B);
    z = B.triangularView<Eigen::Upper>().solve(v);
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(d);
    direction.head(k + 1) = v;
    direction = qr_right.turned(direction);
    const Eigen::RowVectorXd along = direction.transpose() * wide.right;
    wide.right.noalias() -= direction * along;
  } else {  // as many columns as rows hold any form: some combination of the columns is nothing
    z = OrthogonalFactors(wide.right.transpose()).turned(Eigen::VectorXd::Unit(k + 1, k));
  }
  z.normalize();
  Eigen::VectorXd w = z;
  w(k) += z(k) < 0 ? -1 : 1;
  const double scale = 2 / w.squaredNorm();
  const auto without_last = [&](const Matrix& wider) -> Mat<float> {
    const Eigen::VectorXd across = scale * (wider * w);
    return (wider.leftCols(k) - across * w.head(k).transpose()).cast<float>();
  };
  return {without_last(wide.left), without_last(wide.right)};
}

}  // namespace

Factors with_entry(const Factors& factors, Index row, Index col, float value) {
  const double now = factors.left.row(row).cast<double>().dot(factors.right.row(col).cast<double>());
  const double change = static_cast<double>(value) - now;
  if (change == 0) return factors;
  Factors changed = factors;
  const Index k = factors.left.cols();
  for (Index j = 0; j < k; ++j) {
    if (only_entry(factors.right, j, col) && add_quotient(changed.left(row, j), change, factors.right(col, j)))
      return changed;
  }
  for (Index j = 0; j < k; ++j) {
    if (only_entry(factors.left, j, row) && add_quotient(changed.right(col, j), change, factors.left(row, j)))
      return changed;
  }
  for (Index j = 0; j < k; ++j) {
    if ((factors.left.col(j).array() != 0).any() && (factors.right.col(j).array() != 0).any()) continue;
    const auto root = static_cast<float>(std::sqrt(std::abs(change)));
    changed.left.col(j).setZero();
    changed.right.col(j).setZero();
    changed.left(row, j) = change < 0 ? -root : root;
    changed.right(col, j) = root;
    return changed;
  }
  return nearest(factors, row, col, change);
}

}  // namespace hydra

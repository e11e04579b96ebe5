#include "core/design/bilinear.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

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

// The form's singular values and vectors, from thin factors: QR of each, then SVD of the small product.
struct ThinSvd {
  Matrix left, right;  // [d x m], orthonormal columns
  Eigen::VectorXd values;
};

ThinSvd thin_svd(const Matrix& left, const Matrix& right) {
  const Index k = left.cols();
  const Eigen::HouseholderQR<Matrix> a(left), b(right);
  const Index m = std::min(left.rows(), k);
  const Matrix R_a = a.matrixQR().topRows(m).triangularView<Eigen::Upper>();
  const Matrix R_b = b.matrixQR().topRows(m).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<Matrix> core(R_a * R_b.transpose(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix thin = Matrix::Identity(left.rows(), m);
  return {a.householderQ() * (thin * core.matrixU()), b.householderQ() * (thin * core.matrixV()),
          core.singularValues()};
}

Factors nearest(const Factors& old, Index row, Index col, double change) {
  const Index d = old.left.rows(), k = old.left.cols();
  Matrix left(d, k + 1), right(d, k + 1);
  left << old.left.cast<double>(), Eigen::VectorXd::Unit(d, row) * change;
  right << old.right.cast<double>(), Eigen::VectorXd::Unit(d, col);
  const ThinSvd svd = thin_svd(left, right);
  Factors factors{Mat<float>::Zero(d, k), Mat<float>::Zero(d, k)};
  const Index kept = std::min(k, static_cast<Index>(svd.values.size()));
  const Eigen::VectorXd roots = svd.values.head(kept).cwiseSqrt();
  factors.left.leftCols(kept) = (svd.left.leftCols(kept) * roots.asDiagonal()).cast<float>();
  factors.right.leftCols(kept) = (svd.right.leftCols(kept) * roots.asDiagonal()).cast<float>();
  return factors;
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

Index rank_of(const Factors& factors) {
  const ThinSvd svd = thin_svd(factors.left.cast<double>(), factors.right.cast<double>());
  return (svd.values.array() > 1e-5 * svd.values(0)).count();
}

}  // namespace hydra

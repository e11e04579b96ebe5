// Orthogonal factors, least squares, singular values and eigenvalues, in doubles. Eigen's solvers are instantiated here
// alone: each takes the compiler longer than the rest of the file that would use it.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

// The QR of [m x n], by reflections.
class OrthogonalFactors {
 public:
  explicit OrthogonalFactors(const Eigen::MatrixXd& matrix);
  Eigen::MatrixXd R() const;                               // [min(m, n) x n], its upper triangle
  Eigen::VectorXd turned(const Eigen::VectorXd& v) const;  // Q v, Q [m x m]

 private:
  Eigen::MatrixXd packed_;
  Eigen::VectorXd coefficients_;
};
// The Q of a square matrix, its columns signed so that R has a positive diagonal.
Mat<double> signed_Q(const Mat<double>& matrix);

// X of least norm among those that bring A X nearest to B, by a complete orthogonal decomposition; pivots of A that are
// not above this part of the largest count as 0.
struct LeastSquares {
  Mat<double> X;
  Index rank = 0;
};
LeastSquares least_squares(const Mat<double>& A, const Mat<double>& B, double threshold);

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);  // largest first
// U V^T of the singular value decomposition U S V^T: the turn or reflection nearest to the matrix.
Eigen::Matrix2d nearest_turn(const Eigen::Matrix2d& matrix);

// Of a symmetric matrix, eigenvalues ascending.
struct EigenPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  // in columns
};
EigenPairs eigen_pairs(const Eigen::MatrixXd& symmetric);
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric);

}  // namespace hydra

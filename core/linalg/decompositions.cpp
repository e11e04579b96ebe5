#include "core/linalg/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace hydra {

OrthogonalFactors::OrthogonalFactors(const Eigen::MatrixXd& matrix) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  packed_ = qr.matrixQR();
  coefficients_ = qr.hCoeffs();
}

Eigen::MatrixXd OrthogonalFactors::R() const {
  return packed_.topRows(std::min(packed_.rows(), packed_.cols())).triangularView<Eigen::Upper>();
}

Eigen::VectorXd OrthogonalFactors::turned(const Eigen::VectorXd& v) const {
  return Eigen::householderSequence(packed_, coefficients_) * v;
}

Mat<double> signed_Q(const Mat<double>& matrix) {
  const Eigen::HouseholderQR<Mat<double>> qr(matrix);
  Mat<double> Q = qr.householderQ() * Mat<double>::Identity(matrix.rows(), matrix.cols());
  for (Index j = 0; j < Q.cols(); ++j)
    if (qr.matrixQR()(j, j) < 0) Q.col(j) = -Q.col(j).eval();
  return Q;
}

LeastSquares least_squares(const Mat<double>& A, const Mat<double>& B, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Mat<double>> decomposition;
  decomposition.setThreshold(threshold);
  decomposition.compute(A);
  return {decomposition.solve(B), decomposition.rank()};
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) {
  return Eigen::BDCSVD<Eigen::MatrixXd>(matrix).singularValues();
}

Eigen::Matrix2d nearest_turn(const Eigen::Matrix2d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix2d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

EigenPairs eigen_pairs(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace hydra

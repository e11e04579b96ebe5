// Singular values by turning pairs of columns until all are at right angles (Hestenes 1958): slow, plain, and nothing
// that the core uses.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/linalg/types.h"

namespace hydra::test {

// min(m, n) of them, largest first.
inline std::vector<double> plain_singular_values(Eigen::MatrixXd matrix) {
  if (matrix.rows() < matrix.cols()) matrix = matrix.transpose().eval();
  bool turned = true;
  for (int sweep = 0; turned && sweep < 100; ++sweep) {
    turned = false;
    for (Index p = 0; p < matrix.cols(); ++p)
      for (Index q = p + 1; q < matrix.cols(); ++q) {
        const double a = matrix.col(p).squaredNorm(), b = matrix.col(q).squaredNorm(),
                     both = matrix.col(p).dot(matrix.col(q));
        if (!(std::abs(both) > 1e-15 * std::sqrt(a * b))) continue;
        turned = true;
        const double angle = std::atan2(2 * both, a - b) / 2, c = std::cos(angle), s = std::sin(angle);
        const Eigen::VectorXd first = c * matrix.col(p) + s * matrix.col(q);
        matrix.col(q) = c * matrix.col(q) - s * matrix.col(p);
        matrix.col(p) = first;
      }
  }
  std::vector<double> values;
  for (Index k = 0; k < matrix.cols(); ++k) values.push_back(matrix.col(k).norm());
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

}  // namespace hydra::test

#include "core/linalg/decompositions.h"

#include <catch2/catch.hpp>

#include "core/linalg/random.h"

using namespace hydra;

namespace {

Eigen::MatrixXd uniform(Random& random, Index rows, Index cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

}  // namespace

TEST_CASE("orthogonal factors: R has the lengths of the matrix, tall, square and wide", "[linalg][decompositions]") {
  Random random(1);
  for (const Index rows : {1, 2, 5, 12})
    for (const Index cols : {1, 2, 5, 12, 64}) {
      CAPTURE(rows, cols);
      const Eigen::MatrixXd matrix = uniform(random, rows, cols);
      const OrthogonalFactors factors(matrix);
      const Eigen::MatrixXd R = factors.R();
      REQUIRE(R.rows() == std::min(rows, cols));
      REQUIRE(R.cols() == cols);
      CHECK((R.transpose() * R).isApprox(matrix.transpose() * matrix, 1e-12));
      CHECK(R.isUpperTriangular(0));
      // Q turns no length, and brings R where the matrix was.
      for (Index col = 0; col < cols; ++col) {
        Eigen::VectorXd v = Eigen::VectorXd::Zero(rows);
        v.head(R.rows()) = R.col(col);
        CHECK(factors.turned(v).isApprox(matrix.col(col), 1e-12));
      }
    }
}

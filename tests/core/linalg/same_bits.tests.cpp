#include "core/linalg/same_bits.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace hydra;

TEST_CASE("same_bits: shapes, values, signs of zero and NaN", "[core][same_bits]") {
  const Mat<float> a = Mat<float>::Constant(2, 3, 1);
  CHECK(same_bits<float>(MatView<float>(a), MatView<float>(Mat<float>::Constant(2, 3, 1))));
  CHECK_FALSE(same_bits<float>(MatView<float>(a), MatView<float>(Mat<float>::Constant(3, 2, 1))));
  Mat<float> b = a;
  b(1, 2) = 2;
  CHECK_FALSE(same_bits<float>(MatView<float>(a), MatView<float>(b)));
  CHECK(same_bits<float>(MatView<float>(a.leftCols(2)), MatView<float>(b.leftCols(2))));
  CHECK_FALSE(same_bits<float>(MatView<float>(a.rightCols(1)), MatView<float>(b.rightCols(1))));
  const Mat<float> zero = Mat<float>::Zero(1, 1), minus_zero = -zero;
  CHECK_FALSE(same_bits<float>(MatView<float>(zero), MatView<float>(minus_zero)));
  const Mat<float> nan = Mat<float>::Constant(1, 1, std::numeric_limits<float>::quiet_NaN());
  CHECK(same_bits<float>(MatView<float>(nan), MatView<float>(nan)));
}

TEST_CASE("same_bits: shared matrices, null among them", "[core][same_bits]") {
  const Array<float> a = share(Mat<float>(Mat<float>::Ones(1, 2))), b = share(Mat<float>(*a)), null;
  CHECK(same_bits<float>(a, b));
  CHECK(same_bits<float>(null, null));
  CHECK_FALSE(same_bits<float>(a, null));
  CHECK_FALSE(same_bits<float>(null, a));
}

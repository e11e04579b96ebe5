#include "core/linalg/softmax.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace hydra;

TEST_CASE("softmax: rows sum to one, a fully masked row is all zeros", "[core][softmax]") {
  const float masked = -std::numeric_limits<float>::infinity();
  Mat<float> scores(3, 3), out(3, 3);
  scores << 1e4f, -1e4f, 0, masked, masked, masked, 0, masked, 0;
  softmax_rows<float>(scores, out);
  CHECK(out.row(0).sum() == Approx(1));
  CHECK(out(0, 0) == Approx(1));
  CHECK(out.row(1).isZero(0));
  CHECK(out(2, 0) == 0.5f);
  CHECK(out(2, 1) == 0);
}

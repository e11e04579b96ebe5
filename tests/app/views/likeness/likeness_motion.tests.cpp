// What the pictures of likeness show, and how they move.
#include "app/views/likeness/likeness_motion.h"
#include "app/draw/format.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

using namespace hydra;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const LikenessTable> table_of(Likeness measure, const Mat<double>& values) {
  LikenessTable table;
  table.ordered_by = measure;
  table.matrices[static_cast<std::size_t>(measure)] = share(Mat<double>(values));
  const Mat<double> apart = distances(measure, values);
  table.clustering = average_linkage(apart);
  table.map = classical_scaling(apart);
  return std::make_shared<const LikenessTable>(std::move(table));
}

// Four heads: a and b are close, c and d are close.
Mat<double> two_groups(int a, int b, int c, int d) {
  Mat<double> values = Mat<double>::Constant(4, 4, 0.2);
  values.diagonal().setOnes();
  values(a, b) = values(b, a) = 0.9;
  values(c, d) = values(d, c) = 0.8;
  return values;
}

std::shared_ptr<const LikenessTable> cosines(const Mat<double>& values) { return table_of(Likeness::cosine, values); }

}  // namespace

TEST_CASE("likeness motion: the first table is shown where it belongs", "[views][likeness_motion]") {
  LikenessMotion motion;
  motion.show(cosines(two_groups(0, 2, 1, 3)), false);
  motion.advance(1.0f / 60, false);
  CHECK_FALSE(motion.moving());
  CHECK_FALSE(motion.reordering());
  REQUIRE(motion.heads() == 4);
  CHECK(std::abs(motion.row(0) - motion.row(2)) == 1);
  CHECK(std::abs(motion.row(1) - motion.row(3)) == 1);
  CHECK(motion.least() == Approx(0.2));
  CHECK(motion.most() == Approx(0.9));
  CHECK(motion.most_alike() == std::pair(0, 2));
  const auto& unlike = motion.least_alike();
  REQUIRE(unlike);
  CHECK(two_groups(0, 2, 1, 3)(unlike->first, unlike->second) == 0.2);
  for (Index r = 0; r < 4; ++r)
    for (Index c = 0; c < 4; ++c) {
      const auto& order = motion.tree().leaves;
      CHECK((*motion.cells())(r, c) ==
            Approx(two_groups(0, 2, 1, 3)(order[static_cast<std::size_t>(r)], order[static_cast<std::size_t>(c)])));
    }
}

TEST_CASE("likeness motion: other values move heads smoothly to other rows, and stop", "[views][likeness_motion]") {
  LikenessMotion motion;
  motion.show(cosines(two_groups(0, 1, 2, 3)), false);
  motion.advance(0, false);
  motion.show(cosines(two_groups(0, 2, 1, 3)), false);
  std::vector<float> last;
  for (int k = 0; k < 4; ++k) last.push_back(motion.row(k));
  bool reordered = false;
  int frames = 0;
  do {
    motion.advance(1.0f / 60, false);
    reordered |= motion.reordering();
    for (int k = 0; k < 4; ++k) {
      CHECK(std::abs(motion.row(k) - last[static_cast<std::size_t>(k)]) < 1);  // no jumps
      last[static_cast<std::size_t>(k)] = motion.row(k);
    }
    REQUIRE(++frames < 120);
  } while (motion.moving());
  CHECK(reordered);
  CHECK(frames >= 10);
  CHECK(frames <= 60);
  for (std::size_t k = 0; k < 4; ++k) CHECK(motion.row(motion.tree().leaves[k]) == static_cast<float>(k));
  const double x = motion.x(0);
  motion.advance(1.0f / 60, false);
  CHECK(motion.x(0) == x);
}

TEST_CASE("likeness motion: the same values in another table move nothing", "[views][likeness_motion]") {
  LikenessMotion motion;
  motion.show(cosines(two_groups(0, 1, 2, 3)), false);
  motion.advance(1, true);
  std::vector<double> before;
  for (int k = 0; k < 4; ++k) before.insert(before.end(), {motion.row(k), motion.x(k), motion.y(k)});
  motion.show(cosines(two_groups(0, 1, 2, 3)), false);
  motion.advance(1.0f / 60, false);
  CHECK_FALSE(motion.moving());
  for (int k = 0; k < 4; ++k) {
    CHECK(motion.row(k) == before[static_cast<std::size_t>(3 * k)]);
    CHECK(motion.x(k) == Approx(before[static_cast<std::size_t>(3 * k + 1)]).margin(1e-9));
    CHECK(motion.y(k) == Approx(before[static_cast<std::size_t>(3 * k + 2)]).margin(1e-9));
  }
}

TEST_CASE("likeness motion: at once there is no way in between", "[views][likeness_motion]") {
  LikenessMotion motion;
  motion.show(cosines(two_groups(0, 1, 2, 3)), false);
  motion.advance(0, true);
  motion.show(cosines(two_groups(0, 3, 1, 2)), false);
  motion.advance(0, true);
  CHECK_FALSE(motion.moving());
  for (std::size_t k = 0; k < 4; ++k) CHECK(motion.row(motion.tree().leaves[k]) == static_cast<float>(k));
}

TEST_CASE("likeness motion: held ranges do not shrink, free ones do", "[views][likeness_motion]") {
  const Mat<double> far = two_groups(0, 1, 2, 3);
  Mat<double> near = Mat<double>::Constant(4, 4, 0.99);
  near.diagonal().setOnes();
  for (const bool hold : {false, true}) {
    LikenessMotion motion;
    motion.show(cosines(far), false);
    motion.advance(0, true);
    const double half_side = motion.half_side(), distance = motion.distance();
    CHECK(distance >= 0.8);
    motion.show(cosines(near), hold);
    motion.advance(0, true);
    if (hold) {
      CHECK(motion.half_side() == half_side);
      CHECK(motion.distance() == distance);
    } else {
      CHECK(motion.half_side() < 0.1 * half_side);
      CHECK(motion.distance() < 0.1 * distance);
    }
  }
}

TEST_CASE("likeness motion: another number of heads starts anew", "[views][likeness_motion]") {
  LikenessMotion motion;
  motion.show(cosines(two_groups(0, 1, 2, 3)), false);
  motion.advance(0, true);
  motion.show(cosines(Mat<double>::Ones(1, 1)), false);
  motion.advance(1.0f / 60, false);
  CHECK_FALSE(motion.moving());
  CHECK(motion.heads() == 1);
  CHECK(motion.row(0) == 0);
  CHECK_FALSE(motion.most_alike());
  CHECK(motion.least() == 0);
}

TEST_CASE("likeness motion: what is infinite or n/a is noted and hatched", "[views][likeness_motion]") {
  Mat<double> values = Mat<double>::Zero(3, 3);
  values << 0, 1, kInf, 2, 0, 3, kInf, 4, 0;
  LikenessMotion motion;
  motion.show(table_of(Likeness::kl_bits, values), false);
  CHECK(motion.infinite());
  CHECK_FALSE(motion.missing());
  CHECK(motion.most() == 4);
  CHECK(motion.least() == 1);
  CHECK(motion.most_alike() == std::pair(0, 1));
  CHECK(motion.least_alike() == std::pair(0, 2));
  int hatched = 0;
  for (Index k = 0; k < 9; ++k) hatched += std::isinf(motion.cells()->data()[k]) && motion.cells()->data()[k] < 0;
  CHECK(hatched == 2);
  values << 1, kNaN, 0.5, kNaN, kNaN, kNaN, 0.5, kNaN, 1;
  motion.show(table_of(Likeness::cka, values), false);
  CHECK(motion.missing());
  CHECK_FALSE(motion.infinite());
  CHECK_FALSE(motion.most_alike());  // one pair is neither more nor less alike than others
}

TEST_CASE("pattern difference: made once for the same two patterns", "[views][likeness_motion]") {
  PatternDifference difference;
  const Array<float> a = share(Mat<float>(Mat<float>::Constant(2, 2, 0.75f)));
  const Array<float> b = share(Mat<float>(Mat<float>::Constant(2, 2, 1.0f)));
  const Array<float> first = difference.of(a, b);
  CHECK((*first)(1, 0) == -0.25f);
  CHECK(difference.largest() == 0.25f);
  CHECK(difference.of(a, b) == first);
  CHECK((*difference.of(b, a))(0, 1) == 0.25f);
}

TEST_CASE("round ceiling: the next round number", "[views][likeness_motion]") {
  CHECK(ui::close_ceiling(0.53) == Approx(0.6));
  CHECK(ui::close_ceiling(0.6) == Approx(0.6));
  CHECK(ui::close_ceiling(9.1) == Approx(10));
  CHECK(ui::close_ceiling(101) == Approx(120));
}

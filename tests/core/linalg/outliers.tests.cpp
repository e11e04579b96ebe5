// How far a range of colours goes.
#include "core/linalg/outliers.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/linalg/random.h"

using namespace hydra;

namespace {

Reach reach_of(const Mat<float>& values) {
  const Sizes sizes = sizes_of(values);
  const Sizes* const one = &sizes;
  return hydra::reach_of(std::span(&one, 1));
}

// 20 x 20, all of that size but with either sign.
Mat<float> flat(float size) {
  Mat<float> values = Mat<float>::Constant(20, 20, size);
  values.leftCols(10) *= -1;
  return values;
}

}  // namespace

TEST_CASE("outliers: a range goes to what all but the largest fiftieth stay within", "[linalg][outliers]") {
  Mat<float> values = flat(1);
  CHECK_FALSE(reach_of(values).has_outliers());
  values(3, 7) = -40;
  CHECK(reach_of(values).usual == 1);
  CHECK(reach_of(values).largest == 40);
  for (Index k = 0; k < 8; ++k) values(k, k) = 3 + static_cast<float>(k);  // eight of 400 besides
  CHECK(reach_of(values).usual == 3);                                      // 40 and 10 to 4 are left out: a fiftieth
  values = values.cwiseMin(8.9f).cwiseMax(-8.9f);                          // less than 9 times the median
  CHECK(reach_of(values).usual == 8.9f);
}

TEST_CASE("outliers: many large numbers are no outliers", "[linalg][outliers]") {
  Mat<float> values = flat(1);
  for (Index k = 0; k < 20; ++k) values(k, (k + 1) % 20) = 50;  // the keys of a head that looks one word back
  CHECK(reach_of(values).usual == 50);
}

TEST_CASE("outliers: the few numbers that a matrix consists of are none", "[linalg][outliers]") {
  Mat<float> small(4, 4);
  small.setConstant(0.1f);
  small(2, 1) = 12;  // what a small sentence is about
  CHECK_FALSE(reach_of(small).has_outliers());
  const Sizes one = sizes_of(small);
  const std::vector<const Sizes*> heads(12, &one);
  CHECK_FALSE(hydra::reach_of(heads).has_outliers());
  Mat<float> sparse = Mat<float>::Zero(64, 64);
  for (Index k = 0; k < 12; ++k) sparse(k, k) = 1;
  sparse(40, 3) = 20;
  CHECK(reach_of(sparse).usual == 20);
  sparse.array() += 1e-6f;  // rounded otherwise
  CHECK_FALSE(reach_of(sparse).has_outliers());
  CHECK(reach_of(Mat<float>::Zero(30, 30)).largest == 0);
}

TEST_CASE("outliers: what is not finite is left out", "[linalg][outliers]") {
  Mat<float> values = flat(1);
  values.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<float>::infinity());
  values(5, 1) = std::numeric_limits<float>::quiet_NaN();
  values(9, 2) = 100;
  CHECK(reach_of(values).usual == 1);
  CHECK(reach_of(values).largest == 100);
}

TEST_CASE("outliers: of normal and evenly spread numbers there are none, whatever their number", "[linalg][outliers]") {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Index rows = 4 + static_cast<Index>(random.uniform(0, 200)), cols = 4 + static_cast<Index>(seed);
    Mat<float> normal(rows, cols), even(rows, cols);
    for (Index k = 0; k < normal.size(); ++k) {
      normal.data()[k] = static_cast<float>(random.normal());
      even.data()[k] = static_cast<float>(random.uniform(-1, 1));
    }
    found += reach_of(normal).has_outliers() + reach_of(even).has_outliers();
    normal(rows / 2, cols / 2) = 60;
    if (normal.size() >= 400) CHECK(reach_of(normal).has_outliers());
  }
  CHECK(found == 0);
}

TEST_CASE("outliers: matrices share a range", "[linalg][outliers]") {
  const Sizes large = sizes_of(flat(30)), small = sizes_of(flat(1));
  const std::vector<const Sizes*> both{&large, &small};
  CHECK(hydra::reach_of(both).usual == 30);
}

TEST_CASE("outliers: of a large matrix a part is looked at, of all columns", "[linalg][outliers]") {
  Mat<float> values = Mat<float>::Ones(512, 512);
  values.col(5).setConstant(100);  // 1 of 512
  CHECK(reach_of(values).usual == 1);
  values.leftCols(64).setConstant(100);
  CHECK(reach_of(values).usual == 100);
  CHECK(sizes_of(values).some.size() < 5000);
}

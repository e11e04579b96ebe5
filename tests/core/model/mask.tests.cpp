#include "core/model/mask.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/models/layers.h"

using namespace hydra;

namespace {
constexpr float kMasked = -std::numeric_limits<float>::infinity();

Mask custom(Mat<std::uint8_t> allowed) { return {Mask::Kind::custom, share(std::move(allowed))}; }

Mat<std::uint8_t> rows_2x2(int a, int b, int c, int d) {
  Mat<std::uint8_t> m(2, 2);
  m << static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c),
      static_cast<std::uint8_t>(d);
  return m;
}
}  // namespace

TEST_CASE("mask: masked scores become -inf, the others stay", "[core][mask]") {
  Mat<float> scores = Mat<float>::Constant(2, 2, 3);
  apply_mask<float>({}, 0, scores);
  CHECK((scores.array() == 3).all());
  apply_mask<float>(custom(rows_2x2(1, 0, 0, 0)), 0, scores);
  CHECK(scores(0, 0) == 3);
  CHECK(scores(0, 1) == kMasked);
  CHECK(scores.row(1) == RowVec<float>::Constant(2, kMasked));
}

TEST_CASE("mask: a block of queries is masked as in the whole", "[core][mask]") {
  Random random(1);
  for (const Mask& mask :
       {Mask{}, test::causal_mask(), Mask{Mask::Kind::causal, nullptr, 3}, test::random_mask(random, 9)}) {
    Mat<float> whole = Mat<float>::Zero(9, 9), parts = whole;
    apply_mask<float>(mask, 0, whole);
    for (Index first = 0; first < 9; first += 2)
      apply_mask<float>(mask, first, parts.middleRows(first, std::min<Index>(2, 9 - first)));
    CHECK(whole == parts);
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < 9; ++j) CHECK((whole(i, j) == 0) == mask.allows(i, j));
  }
}

TEST_CASE("mask: equal by value", "[core][mask]") {
  CHECK(Mask{} == Mask{});
  CHECK_FALSE(Mask{} == test::causal_mask());
  CHECK(custom(rows_2x2(1, 0, 1, 1)) == custom(rows_2x2(1, 0, 1, 1)));
  CHECK_FALSE(custom(rows_2x2(1, 0, 1, 1)) == custom(rows_2x2(1, 1, 1, 1)));
  CHECK_FALSE(custom(rows_2x2(1, 1, 1, 1)) == custom(Mat<std::uint8_t>::Ones(3, 3)));
  CHECK_FALSE(custom(rows_2x2(1, 1, 1, 1)) == Mask{});
}

TEST_CASE("mask: resized keeps what both lengths have, new tokens may attend", "[core][mask]") {
  const Mask mask = custom(rows_2x2(1, 0, 0, 1));
  CHECK(resized(mask, 2) == mask);
  CHECK(resized(test::causal_mask(), 5) == test::causal_mask());
  const Mask longer = resized(mask, 3);
  CHECK_FALSE(longer.allows(0, 1));
  CHECK(longer.allows(0, 2));
  CHECK(longer.allows(2, 0));
  CHECK(resized(longer, 2) == mask);
}

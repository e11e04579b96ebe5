// Which keys heads of width one give the most to.
#include "core/analysis/roles/ends.h"

#include <catch2/catch.hpp>

#include "core/ops/softmax.h"

using namespace hydra;

namespace {

Mat<float> column(std::initializer_list<float> values) {
  Mat<float> k(static_cast<Index>(values.size()), 1);
  std::copy(values.begin(), values.end(), k.data());
  return k;
}

Mat<float> pattern(const Mat<float>& q, const Mat<float>& k, const Mask& mask) {
  Mat<float> A = q * k.transpose();
  apply_mask<float>(mask, 0, A);
  softmax::forward<float>(A, A);
  return A;
}

}  // namespace

TEST_CASE("ends: a query gives the most to one of two keys, if to any", "[app][tradeoff]") {
  const Mat<float> q = column({1, -2, 0, 3}), k = column({0.5f, 2, -1, 0});
  const Ends ends = ends_of(k, pattern(q, k, {}), {});
  CHECK(ends.queries == 3);  // the third asks nothing
  CHECK(ends.at_end == 3);
  CHECK(ends.largest == 1);
  CHECK(ends.smallest == 2);
}

TEST_CASE("ends: nothing is counted where all keys are the same", "[app][tradeoff]") {
  const Mat<float> q = column({1, -2, 3}), k = column({0, 0, 0});
  CHECK(ends_of(k, pattern(q, k, {}), {}).queries == 0);
}

TEST_CASE("ends: of several smallest keys none is named", "[app][tradeoff]") {
  const Mat<float> q = column({1, 1, 1, 1}), k = column({0, 2, 0, 0});
  const Ends ends = ends_of(k, pattern(q, k, {}), {});
  CHECK(ends.at_end == 4);
  CHECK(ends.largest == 1);
  CHECK(ends.smallest == -1);
}

TEST_CASE("ends: only keys that the mask shows count", "[app][tradeoff]") {
  const Mat<float> q = column({1, 1, 1, -1}), k = column({0, 2, 1, 5});
  const Mask causal{Mask::Kind::causal, nullptr};
  const Ends ends = ends_of(k, pattern(q, k, causal), causal);
  CHECK(ends.queries == 2);  // the first two see less than three
  CHECK(ends.at_end == 2);
  CHECK(ends.largest == -1);
  Mask blind{Mask::Kind::custom, nullptr};
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(4, 4);
  allowed.row(1).setZero();
  blind.allowed = share(std::move(allowed));
  CHECK(ends_of(k, pattern(q, k, blind), blind).queries == 3);
}

TEST_CASE("ends: painted rows may give the most to any", "[app][tradeoff]") {
  const Mat<float> k = column({0, 2, 1});
  Mat<float> A = Mat<float>::Constant(3, 3, 0.25f);
  A.col(2).setConstant(0.5f);
  const Ends ends = ends_of(k, A, {});
  CHECK(ends.queries == 3);
  CHECK(ends.at_end == 0);
}

#include "core/weights/mask_patterns.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

// Rows of a mask as text, "1" where the query may attend.
std::vector<std::string> drawn(const PatternMask& pattern, Index n) {
  const Mask mask = mask_of(pattern, n);
  std::vector<std::string> rows;
  for (Index i = 0; i < n; ++i) {
    rows.emplace_back();
    for (Index j = 0; j < n; ++j) rows.back() += mask.allows(i, j) ? '1' : '.';
  }
  return rows;
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("mask patterns: each as its source draws it, on six tokens", "[core][mask]") {
  CHECK(drawn({MaskPattern::window, 1}, 6) == Rows{"11....", "111...", ".111..", "..111.", "...111", "....11"});
  CHECK(drawn({MaskPattern::window, 2, true}, 6) == Rows{"1.....", "11....", "111...", ".111..", "..111.", "...111"});
  CHECK(drawn({MaskPattern::blocks, 4}, 6) == Rows{"1111..", "1111..", "1111..", "1111..", "....11", "....11"});
  CHECK(drawn({MaskPattern::blocks, 2, true}, 6) == Rows{"1.....", "11....", "..1...", "..11..", "....1.", "....11"});
  CHECK(drawn({MaskPattern::prefix, 3}, 6) == Rows{"111...", "111...", "111...", "1111..", "11111.", "111111"});
  CHECK(drawn({MaskPattern::strided, 3}, 6) == Rows{"1.....", "11....", "111...", "1111..", ".1111.", "..1111"});
  CHECK(drawn({MaskPattern::strided, 2}, 7).back() == "1.1.111");
}

TEST_CASE("mask patterns: none and causal stay what they are, whatever the size", "[core][mask]") {
  CHECK(mask_of({MaskPattern::none, 3}, 5) == Mask{});
  CHECK(mask_of({MaskPattern::causal, 3}, 5) == Mask{Mask::Kind::causal, nullptr});
}

TEST_CASE("mask patterns: every query sees itself, and sizes beyond the sentence change nothing", "[core][mask]") {
  for (int p = 0; p < kMaskPatterns; ++p)
    for (const bool only_before : {false, true})
      for (const Index size : {1, 2, 3, 7, 100}) {
        const PatternMask pattern{static_cast<MaskPattern>(p), size, only_before};
        CHECK(blind_rows(mask_of(pattern, 7), 7).empty());
        for (Index i = 0; i < 7; ++i) {
          CHECK(allows(pattern, i, i));
          for (Index j = i + 1; j < 7; ++j)
            if (only_before && sees_ahead(pattern.pattern)) CHECK_FALSE(allows(pattern, i, j));
        }
      }
  CHECK(simplest(allowed_pairs(mask_of({MaskPattern::window, 100}, 7), 7)) == Mask{});
  CHECK(simplest(allowed_pairs(mask_of({MaskPattern::window, 100, true}, 7), 7)).kind == Mask::Kind::causal);
}

TEST_CASE("mask patterns: a mask becomes its pairs and the simplest mask again", "[core][mask]") {
  Random random(5);
  for (const Mask& mask : {Mask{}, test::causal_mask(), test::random_mask(random, 8)})
    CHECK(simplest(allowed_pairs(mask, 8)) == mask);
}

TEST_CASE("mask patterns: rows that see nothing are found", "[core][mask]") {
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(4, 4);
  allowed.row(1).setZero();
  allowed.row(3).setZero();
  allowed(3, 0) = 1;
  CHECK(blind_rows({Mask::Kind::custom, share(std::move(allowed))}, 4) == std::vector<Index>{1});
  CHECK(blind_rows(Mask{}, 4).empty());
}

TEST_CASE("mask patterns: what can hardly be meant is said, and nothing of any other mask", "[core][mask]") {
  const auto custom = [](Mat<std::uint8_t> allowed) { return Mask{Mask::Kind::custom, share(std::move(allowed))}; };
  const auto where = [&](Index n, auto allowed) {
    Mat<std::uint8_t> matrix(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) matrix(i, j) = allowed(i, j);
    return custom(std::move(matrix));
  };
  for (const Index n : {1, 2, 5}) {
    CHECK_THAT(mask_remark(where(n, [](Index, Index) { return false; })), Catch::Contains("hides every pair"));
    CHECK(mask_remark(where(n, [](Index, Index) { return true; })).empty());
    CHECK(mask_remark(where(n, [](Index i, Index j) { return j <= i; })).empty());
    CHECK(mask_remark(where(n, [](Index i, Index j) { return j >= i; })).empty());
  }
  for (const Index n : {2, 5})
    CHECK_THAT(mask_remark(where(n, [](Index i, Index j) { return j > i; })), Catch::Contains("where 1 means hidden"));
  CHECK(mask_remark(where(3, [](Index i, Index j) { return j > i && j < 2; })).empty());
  CHECK(mask_remark({}).empty());
  CHECK(mask_remark({Mask::Kind::causal, nullptr}).empty());
}

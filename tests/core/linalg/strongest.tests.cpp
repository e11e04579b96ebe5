#include "core/linalg/strongest.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/linalg/random.h"

using namespace hydra;

namespace {
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The strongest of rows [row0, row1) x [col0, col1), by the definition in words.
float strongest(const Mat<float>& m, Index row0, Index row1, Index col0, Index col1) {
  float best = -kInf;
  for (Index i = row0; i < row1; ++i) {
    for (Index j = col0; j < col1; ++j) {
      const float value = m(i, j);
      if (std::isnan(value)) return value;
      if (value == -kInf) continue;
      if (best == -kInf || std::abs(value) > std::abs(best)) best = value;
    }
  }
  return best;
}

bool same(float a, float b) { return (std::isnan(a) && std::isnan(b)) || a == b; }
}  // namespace

TEST_CASE("mip: the larger magnitude wins with its sign, NaN over all, -inf under all", "[gl][mip]") {
  CHECK(stronger(0.5f, -2.f) == -2.f);
  CHECK(stronger(-2.f, 0.5f) == -2.f);
  CHECK(stronger(-kInf, 0.f) == 0.f);
  CHECK(stronger(0.f, -kInf) == 0.f);
  CHECK(stronger(-kInf, -kInf) == -kInf);
  CHECK(stronger(1e38f, kInf) == kInf);
  CHECK(std::isnan(stronger(kInf, kNan)));
  CHECK(std::isnan(stronger(-kNan, kInf)));
}

TEST_CASE("mip: every level holds the strongest of the cells it stands for, odd sizes folded into the last",
          "[gl][mip]") {
  Random random(3);
  for (const auto& [rows, cols] : {std::pair{7, 5}, {1, 9}, {9, 1}, {16, 16}, {13, 64}, {31, 2}}) {
    Mat<float> values(rows, cols);
    for (Index i = 0; i < values.size(); ++i) {
      const double kind = random.uniform();
      values.data()[i] = kind < 0.3 ? -kInf : kind < 0.33 ? kNan : static_cast<float>(random.uniform(-1, 1));
    }
    Mat<float> level_values = values;
    const int levels = level_count(rows, cols);
    for (int level = 1; level < levels; ++level) {
      level_values = reduce(level_values);
      const int height = level_size(rows, level), width = level_size(cols, level);
      REQUIRE(level_values.rows() == height);
      REQUIRE(level_values.cols() == width);
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < width; ++c) {
          const Index row1 = r + 1 == height ? rows : Index{r + 1} << level;
          const Index col1 = c + 1 == width ? cols : Index{c + 1} << level;
          CAPTURE(rows, cols, level, r, c);
          CHECK(same(level_values(r, c), strongest(values, Index{r} << level, row1, Index{c} << level, col1)));
        }
      }
    }
    CHECK(level_values.size() == 1);
  }
}

TEST_CASE("mip: a block is drawn from no level that mixes it with its neighbours", "[gl][mip]") {
  for (const Index n : {1, 5, 8, 12, 60, 64}) {
    for (Index begin = 0; begin < n; ++begin) {
      for (Index end = begin + 1; end <= n; ++end) {
        const int level = aligned_level(begin, end, n);
        const Index size = level_size(n, level);
        const auto cell_of = [&](Index at) { return std::min(at >> level, size - 1); };
        CAPTURE(n, begin, end, level);
        CHECK((begin == 0 || cell_of(begin - 1) != cell_of(begin)));
        CHECK((end == n || cell_of(end) != cell_of(end - 1)));
      }
    }
  }
  CHECK(aligned_level(0, 64, 512) == 6);
  CHECK(aligned_level(64, 128, 512) == 6);
  CHECK(aligned_level(0, 13, 13) == 3);
  CHECK(aligned_level(5, 10, 65) == 0);
}

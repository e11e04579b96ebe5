#include "core/linalg/array.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/linalg/random.h"
#include "core/linalg/same_bits.h"

using namespace hydra;

namespace {
Mat<float> counted(Index rows, Index cols) {
  Mat<float> values(rows, cols);
  for (Index k = 0; k < values.size(); ++k) values.data()[k] = static_cast<float>(k);
  return values;
}
}  // namespace

TEST_CASE("stamp: keys tell operations, operands and their order apart", "[core][stamp]") {
  const Stamp a = new_stamp(), b = new_stamp();
  CHECK(a != b);
  CHECK(a);
  CHECK_FALSE(Stamp());
  CHECK((Key("scores") << a << b).stamp() == (Key("scores") << a << b).stamp());
  CHECK((Key("scores") << a << b).stamp() != (Key("scores") << b << a).stamp());
  CHECK((Key("scores") << a << b).stamp() != (Key("output") << a << b).stamp());
  CHECK((Key("scores") << a).stamp() != (Key("scores") << a << Stamp()).stamp());
  CHECK((Key("scores") << 0.0).stamp() != (Key("scores") << -0.0).stamp());
  CHECK((Key("t") << std::string_view("ab") << std::string_view("c")).stamp() !=
        (Key("t") << std::string_view("a") << std::string_view("bc")).stamp());
}

TEST_CASE("stamp: a million keys of neighbouring operands are a million stamps", "[core][stamp]") {
  std::set<Stamp> seen;
  std::set<std::uint64_t> high, low;  // each half alone would do
  for (int i = 0; i < 1000; ++i)
    for (int j = 0; j < 1000; ++j) {
      const Stamp stamp = (Key("k") << i << j).stamp();
      seen.insert(stamp);
      high.insert(stamp.high);
      low.insert(stamp.low);
    }
  CHECK(seen.size() == 1000000);
  CHECK(high.size() == 1000000);
  CHECK(low.size() == 1000000);
}

TEST_CASE("array: blocks are views with stamps of their own", "[core][array]") {
  const Array<float> whole = share_columns(counted(3, 6));
  const Array<float> middle = whole.columns(2, 2), last = whole.row_block(2, 1);
  CHECK(middle->data() == whole->data() + 2);
  CHECK((*middle)(1, 1) == 9);
  CHECK((*last)(0, 5) == 17);
  CHECK(middle.owner() == whole.owner());
  CHECK(middle != whole);
  CHECK(middle == whole.columns(2, 2));
  CHECK(middle != whole.columns(3, 2));
  CHECK(whole.columns(0, 6) == whole);
  CHECK(whole.row_block(0, 3) == whole);
  CHECK(Array<float>() == Array<float>(nullptr));
  CHECK_FALSE(Array<float>());
  const Array<float> gone = Array<float>::dropped(whole.stamp());
  CHECK_FALSE(gone);
  CHECK(gone == whole);
}

TEST_CASE("array: after any changes same stamps mean same values, and what was not touched keeps its stamp",
          "[core][array]") {
  Random random(5);
  const auto below = [&](Index count) { return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(count)); };
  for (const bool by_rows : {false, true}) {
    Array<float> now = by_rows ? share_rows(counted(6, 12)) : share_columns(counted(12, 6));
    const auto part = [&](const Array<float>& array, Index first, Index count) {
      return by_rows ? array.row_block(first, count) : array.columns(first, count);
    };
    std::map<Stamp, Mat<float>> known;
    for (int step = 0; step < 300; ++step) {
      const Array<float> before = now;
      const Index row = below(now.rows()), col = below(now.cols());
      const Index rows = 1 + below(now.rows() - row), cols = 1 + below(std::min<Index>(2, now.cols() - col));
      Mat<float> values = *now;
      for (Index i = row; i < row + rows; ++i)
        for (Index j = col; j < col + cols; ++j) values(i, j) = static_cast<float>(below(3));
      now = replaced_block(now, std::move(values), row, col, rows, cols);
      const Index first = by_rows ? row : col, last = first + (by_rows ? rows : cols);
      for (const Index width : {1, 2, 3, 6})
        for (Index at = 0; at < 6; at += width) {
          const Array<float> block = part(now, at, width);
          const auto [kept, fresh] = known.emplace(block.stamp(), Mat<float>(*block));
          REQUIRE((fresh || kept->second == *block));
          REQUIRE((block == part(before, at, width)) == (at + width <= first || last <= at));
        }
    }
  }
}

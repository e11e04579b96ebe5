#include "core/linalg/array.h"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>

#include "core/linalg/random.h"
#include "core/linalg/same_bits.h"
#include "core/work/parallel.h"

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

TEST_CASE("array: of rows that are to come those are computed that are looked at, each once, and all are the same",
          "[core][array]") {
  const Mat<float> values = counted(21, 5);
  std::vector<int> computed(21);
  const auto later = [&] {
    return Array<float>(std::make_shared<const RowsLater<float>>(21, 5,
                                                                 [&](Index first, MatOut<float> rows) {
                                                                   rows = values.middleRows(first, rows.rows());
                                                                   for (Index k = 0; k < rows.rows(); ++k)
                                                                     ++computed[static_cast<std::size_t>(first + k)];
                                                                 }),
                        new_stamp());
  };
  const Array<float> some = later();
  CHECK_FALSE(some.is_read());
  CHECK(some(20, 4) == values(20, 4));  // of the last, shorter block
  CHECK(some.row(3) == values.row(3));
  CHECK(std::accumulate(computed.begin(), computed.end(), 0) == 5 + RowsLater<float>::kTogether);
  CHECK(some.columns(1, 3).row_block(2, 2).is_read());
  CHECK_FALSE(some.row_block(2, 7).is_read());
  CHECK(*some.columns(1, 3).row_block(2, 7) == values.block(2, 1, 7, 3));
  CHECK(*some == values);
  CHECK(some.is_read());
  CHECK(std::ranges::count(computed, 1) == 21);

  const Array<float> other = later();  // by several threads at once
  ThreadPool pool(3);
  std::vector<int> right(63);
  pool.run(63, [&](Index k) { right[static_cast<std::size_t>(k)] = other.row(k % 21) == values.row(k % 21); });
  CHECK(std::ranges::count(right, 1) == 63);
  CHECK(std::ranges::count(computed, 2) == 21);
}

TEST_CASE("array: rows that could not be computed are computed when they are looked at again", "[core][array]") {
  int tries = 0;
  const Array<float> values(std::make_shared<const RowsLater<float>>(2, 2,
                                                                     [&](Index, MatOut<float> rows) {
                                                                       if (++tries == 1) throw std::bad_alloc();
                                                                       rows.setConstant(7);
                                                                     }),
                            new_stamp());
  CHECK_THROWS_AS(values(1, 1), std::bad_alloc);
  CHECK_FALSE(values.is_read());
  CHECK(values(1, 1) == 7);
  CHECK(tries == 2);
}

// Rows of a head that are set by hand.
#include "core/weights/painting.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/support/faults.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;
using Catch::Contains;
using test::fault_at;

namespace {

RowVec<float> row_of(std::initializer_list<float> numbers) {
  RowVec<float> row(static_cast<Index>(numbers.size()));
  Index k = 0;
  for (const float number : numbers) row(k++) = number;
  return row;
}

double sum_of(const RowVec<float>& row) { return row.cast<double>().sum(); }

// One head of 3 tokens with 2 numbers each, worked by hand: the painted row of attention meets one painted value.
LayerInput<float> small_layer() {
  Random random(3);
  LayerInput<float> layer = random_layer<float>(random, 3, 2, 1);
  layer.weights.W_V = share(Mat<float>(Mat<float>::Identity(2, 2)));
  layer.weights.W_O = share(Mat<float>(2 * Mat<float>::Identity(2, 2)));
  layer.X = share((Mat<float>(3, 2) << 1, 0, 0, 1, 4, 8).finished());
  layer.painted.resize(1);
  layer.painted[0].attention = {{1, share(row_of({0.5f, 0.25f, 0.25f}))}};
  layer.painted[0].values = {{2, share(row_of({2, -2}))}};
  return layer;
}

}  // namespace

TEST_CASE("painting: worked by hand", "[core][painting]") {
  const LayerTrace<float> trace = forward<float>(small_layer());
  const HeadTrace<float>& head = trace.heads[0];
  CHECK(*head.V == (Mat<float>(3, 2) << 1, 0, 0, 1, 2, -2).finished());
  CHECK(head.attention->row(1) == row_of({0.5f, 0.25f, 0.25f}));
  // 0.5 [1 0] + 0.25 [0 1] + 0.25 [2 -2] = [1 -0.25], times 2.
  CHECK(head.output->row(1) == row_of({1, -0.25f}));
  CHECK(trace.output->row(1) == row_of({2, -0.5f}));
}

TEST_CASE("painting: what is not painted, and every score, keeps its bits", "[core][painting]") {
  Random random(5);
  for (const Index n : {1, 7, 130}) {  // of one block of rows, and of more
    LayerInput<float> layer = random_layer<float>(random, n, 12, 3, true);
    const LayerTrace<float> plain = forward<float>(layer);
    layer.painted.resize(3);
    layer.painted[1].attention = {{n - 1, share(uniform_row(layer.mask, n - 1, n))}};
    layer.painted[1].values = {{n / 2, random_bias<float>(random, 4)}};
    const LayerTrace<float> painted = forward<float>(layer);
    for (const std::size_t h : {0u, 2u}) CHECK(same_bits<float>(painted.heads[h].output, plain.heads[h].output));
    CHECK(same_bits<float>(painted.heads[1].scores, plain.heads[1].scores));
    CHECK((n == 1 || *painted.heads[1].attention != *plain.heads[1].attention));
    for (Index i = 0; i + 1 < n; ++i) CHECK(painted.heads[1].attention->row(i) == plain.heads[1].attention->row(i));
    for (Index i = 0; i < n; ++i) CHECK((i == n / 2 || painted.heads[1].V->row(i) == plain.heads[1].V->row(i)));
  }
}

TEST_CASE("painting: in double as in float", "[core][painting]") {
  Random random(6);
  LayerInput<double> layer = random_layer<double>(random, 4, 6, 2);
  layer.painted.resize(2);
  layer.painted[0].attention = {{2, share(RowVec<double>(RowVec<double>::Constant(4, 0.25)))}};
  const LayerTrace<double> trace = forward<double>(layer);
  CHECK((trace.heads[0].output->row(2) - trace.heads[0].V->colwise().mean()).norm() < 1e-15);
}

TEST_CASE("painting: a row that is looked for is found, and no other", "[core][painting]") {
  const std::vector<PaintedRow<float>> rows = {{1, share(row_of({1}))}, {4, share(row_of({2}))}};
  CHECK(painted_row(rows, 1) == &rows[0].values);
  CHECK(painted_row(rows, 4) == &rows[1].values);
  for (const Index row : {0, 2, 5}) CHECK(painted_row(rows, row) == nullptr);
  CHECK(painted_head(std::vector<PaintedHead<float>>{}, 0) == nullptr);
  const std::vector<PaintedHead<float>> heads = {{}, {rows, {}}};
  CHECK(painted_head(heads, 0) == nullptr);
  CHECK(painted_head(heads, 1) == &heads[1]);
  CHECK(painted_head(heads, 2) == nullptr);
}

TEST_CASE("painting: one weight is set, the others keep their proportions", "[core][painting]") {
  const Mask none;
  const RowVec<float> row = row_of({0.5f, 0.25f, 0.25f, 0});
  CHECK(with_weight(row, none, 0, 0, 0.0f) == row_of({0, 0.5f, 0.5f, 0}));
  CHECK(with_weight(row, none, 0, 3, 0.5f) == row_of({0.25f, 0.125f, 0.125f, 0.5f}));
  CHECK(with_weight(row, none, 0, 1, 1.5f) == row_of({0, 1, 0, 0}));
  CHECK(with_weight(row, none, 0, 1, -2.0f) == with_weight(row, none, 0, 1, 0.0f));
  CHECK(with_weight(row_of({0, 1, 0}), none, 0, 1, 0.5f) == row_of({0.25f, 0.5f, 0.25f}));  // nothing to scale
  CHECK(with_weight(row_of({1}), none, 0, 0, 0.25f) == row_of({1}));                        // nowhere to go
  const Mask causal = causal_mask();
  CHECK(with_weight(row_of({0.5f, 0.5f, 0}), causal, 1, 0, 0.25f) == row_of({0.25f, 0.75f, 0}));
  CHECK(with_weight(row_of({0.5f, 0.5f, 0}), causal, 1, 2, 0.25f) == row_of({0.5f, 0.5f, 0}));
  CHECK(with_weight(row_of({1, 0, 0}), causal, 1, 0, 0.5f) == row_of({0.5f, 0.5f, 0}));
}

TEST_CASE("painting: whatever is dragged or normalized sums to one and is allowed", "[core][painting]") {
  Random random(9);
  for (int round = 0; round < 500; ++round) {
    const auto n = static_cast<Index>(1 + random.bits() % 40);
    const auto at = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(n));
    const Mask mask = round % 3 == 0 ? Mask{} : round % 3 == 1 ? causal_mask() : random_mask(random, n);
    RowVec<float> row = uniform_row(mask, at, n);
    if (row.isZero(0)) continue;
    CHECK_NOTHROW(check_painted_attention(mask, at, row));
    for (int drag = 0; drag < 5; ++drag) {
      const auto key = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(n));
      row = with_weight(row, mask, at, key, static_cast<float>(random.uniform(-0.2, 1.2)));
      CHECK(sum_of(row) == Approx(1).margin(1e-6));
      CHECK_NOTHROW(check_painted_attention(mask, at, row));
    }
    const RowVec<float> scaled = row * static_cast<float>(random.uniform(0.01, 100)), once = normalized(scaled);
    CHECK(sum_of(once) == Approx(1).margin(1e-6));
    CHECK(normalized(once) == once);
  }
}

TEST_CASE("painting: a typed row that sums to one is not touched", "[core][painting]") {
  const RowVec<float> typed = row_of({0.7f, 0.05f, 0.1f, 0, 0.05f, 0.1f});
  CHECK(normalized(typed) == typed);
  CHECK(normalized(row_of({7, 3})) == row_of({0.7f, 0.3f}));
  CHECK(normalized(row_of({3e38f, 3e38f})) == row_of({0.5f, 0.5f}));
  CHECK_FALSE(std::signbit(normalized(row_of({-0.0f, 1}))(0)));
  CHECK_THROWS_WITH(normalized(row_of({0, 0})), fault_at("all weights", "0"));
  CHECK_THROWS_WITH(normalized(row_of({1, -0.5f})), fault_at("token 1", "-0.5"));
  CHECK_THROWS_AS(normalized(row_of({std::numeric_limits<float>::infinity(), 1})), InputError);
  CHECK_THROWS_AS(normalized(row_of({std::numeric_limits<float>::quiet_NaN(), 1})), InputError);
}

TEST_CASE("painting: rows that no query can have are refused with a sentence", "[core][painting]") {
  CHECK_THROWS_WITH(check_painted_attention({}, 0, row_of({0.5f, 0.4f})), fault_at("the weights", "sum to 0.9"));
  CHECK_THROWS_WITH(check_painted_attention({}, 0, row_of({1.5f, -0.5f})), fault_at("token 1", "-0.5"));
  CHECK_THROWS_WITH(check_painted_attention(causal_mask(), 0, row_of({0.5f, 0.5f})),
                    fault_at("the mask", "hides token 1 from token 0"));
  CHECK_NOTHROW(check_painted_attention({}, 0, row_of({0.3333f, 0.3333f, 0.3334f})));
}

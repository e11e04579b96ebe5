// The tiles step by step: their order, and what is known of a query after each.
#include "core/attention/tiles.h"
#include "core/ops/scores.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

double apart(const RowVec<double>& a, const RowVec<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("tiles: visited block by block from left to right, covering every pair once", "[core][tiles]") {
  const std::vector<Tile> expected{{0, 4, 0, 4}, {0, 4, 4, 4}, {0, 4, 8, 2}, {4, 4, 0, 4}, {4, 4, 4, 4},
                                   {4, 4, 8, 2}, {8, 2, 0, 4}, {8, 2, 4, 4}, {8, 2, 8, 2}};
  const TileWalk walk = tile_walk({}, 10, 4);
  CHECK(walk.visited == expected);
  CHECK(walk.skipped.empty());
  for (const Index n : {1, 2, 7, 64, 65})
    for (const Index side : {1, 2, 4, 64, 100})
      for (const bool causal : {false, true}) {
        const TileWalk any = tile_walk(causal ? test::causal_mask() : Mask{}, n, side);
        Mat<int> seen = Mat<int>::Zero(n, n);
        for (const Tile& tile : any.visited) seen.block(tile.row, tile.key, tile.rows, tile.keys).array() += 1;
        for (const Tile& tile : any.skipped) seen.block(tile.row, tile.key, tile.rows, tile.keys).array() += 1;
        CHECK((seen.array() == 1).all());
      }
}

TEST_CASE("tiles: under a causal mask those wholly above the diagonal are skipped", "[core][tiles]") {
  const TileWalk walk = tile_walk(test::causal_mask(), 10, 4);
  CHECK(walk.visited ==
        std::vector<Tile>{{0, 4, 0, 4}, {4, 4, 0, 4}, {4, 4, 4, 4}, {8, 2, 0, 4}, {8, 2, 4, 4}, {8, 2, 8, 2}});
  CHECK(walk.skipped == std::vector<Tile>{{0, 4, 4, 4}, {0, 4, 8, 2}, {4, 4, 8, 2}});
  for (const Tile& tile : walk.skipped) CHECK(tile.key > tile.row + tile.rows - 1);
}

TEST_CASE("tiles: a row worked by hand", "[core][tiles]") {
  Mat<double> scores(1, 4), V(4, 2);
  scores << 0, std::log(2.0), std::log(8.0), 0;
  V << 1, 0, 0, 1, 1, 1, 2, 0;
  const auto states = running_softmax<double>(scores, V, 4, 2);
  REQUIRE(states.size() == 2);
  CHECK(states[0].keys == 2);
  CHECK(states[0].top == Approx(std::log(2.0)));
  CHECK(states[0].total == Approx(1.5));  // 1/2 + 1
  CHECK(states[0].shrink == 0);
  CHECK(apart(states[0].output, (RowVec<double>(2) << 0.5, 1).finished()) < 1e-15);
  CHECK(states[1].tile_top == Approx(std::log(8.0)));
  CHECK(states[1].shrink == Approx(0.25));
  CHECK(states[1].tile_total == Approx(1.125));
  CHECK(states[1].total == Approx(1.5));  // 1.5 / 4 + 1 + 1/8
  CHECK(apart(states[1].output, (RowVec<double>(2) << 0.125 + 1 + 0.25, 0.25 + 1).finished()) < 1e-15);
  CHECK(apart(weights_so_far<double>(scores, states[0]), (RowVec<double>(4) << 1, 2, 0, 0).finished() / 3) < 1e-15);
  CHECK(apart(weights_so_far<double>(scores, states[1]), (RowVec<double>(4) << 1, 2, 8, 1).finished() / 12) < 1e-15);
}

TEST_CASE("tiles: after the last one the row of A and the head's output, at any side and under any mask",
          "[core][tiles]") {
  Random random(5);
  for (const Index n : {1, 3, 12, 33})
    for (const int kind : {0, 1, 2}) {
      LayerInput<double> input = test::random_layer<double>(random, n, 8, 2);
      if (kind == 1) input.mask = test::causal_mask();
      if (kind == 2) {
        input.mask = test::random_mask(random, n);
        Mat<std::uint8_t> allowed = *input.mask.allowed;
        allowed.row(n / 2).setZero();  // may attend to nothing
        input.mask.allowed = share(std::move(allowed));
      }
      const LayerTrace<double> trace = forward<double>(input);
      const HeadTrace<double>& head = trace.heads[1];
      for (const Index side : {1, 2, 4, 64})
        for (Index query = 0; query < n; ++query) {
          CAPTURE(n, kind, side, query);
          const Mat<double> scores = head.scores->row(query);
          const Index row = query / side * side;
          const Index keys = scores::keys_to_visit(input.mask, row, std::min(side, n - row), n);
          const auto states = running_softmax<double>(scores, *head.V, keys, side);
          REQUIRE(states.back().keys == keys);
          REQUIRE(apart(weights_so_far<double>(scores, states.back()), head.attention->row(query)) < 1e-14);
          REQUIRE(apart(output_so_far<double>(states.back()), head.output->row(query)) < 1e-13);
          for (std::size_t k = 1; k < states.size(); ++k) REQUIRE(states[k].top >= states[k - 1].top);
        }
    }
}

TEST_CASE("tiles: what is masked leaves everything as it was", "[core][tiles]") {
  Mat<double> scores(1, 6), V(6, 1);
  scores << kMasked, kMasked, 1, kMasked, kMasked, kMasked;
  V << 9, 9, 5, 9, 9, 9;
  const auto states = running_softmax<double>(scores, V, 6, 2);
  CHECK(states[0].top == kMasked);
  CHECK(states[0].total == 0);
  CHECK(output_so_far<double>(states[0]).isZero(0));
  CHECK(weights_so_far<double>(scores, states[0]).isZero(0));
  CHECK(states[1].total == 1);
  CHECK(states[2].tile_top == kMasked);
  CHECK(states[2].tile_total == 0);
  CHECK(states[2].shrink == 1);
  CHECK(states[2].total == 1);
  CHECK(output_so_far<double>(states[2])(0) == 5);
}

// What a large trace does not keep is recomputed with the same bits, and its pointers still say what changed.
#include <catch2/catch.hpp>

#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

Index below(Random& random, Index limit) {
  return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(limit));
}

LayerInput<float> random_input(Random& random) {
  const Index heads = Index{1} << below(random, 4), group = std::min(heads, Index{1} << below(random, 2)),
              n = 1 + below(random, 150);
  LayerInput<float> input = random_layer<float>(random, n, heads * (1 + below(random, 5)), heads, below(random, 2) == 0,
                                                group, below(random, 2) * (1 + below(random, 7)));
  if (below(random, 3) == 0) input.mask = causal_mask();
  if (below(random, 4) == 0) input.mask = random_mask(random, n);
  if (below(random, 3) == 0)
    for (Index h = 0; h < heads; ++h) input.gates.push_back(static_cast<float>(below(random, 3)) / 2);
  if (below(random, 3) == 0) {
    input.painted.resize(static_cast<std::size_t>(heads));
    RowVec<float> row = RowVec<float>::Zero(n);
    row(below(random, n)) = 1;
    input.painted[static_cast<std::size_t>(below(random, heads))].attention.push_back(
        {below(random, n), share(std::move(row))});
  }
  return input;
}

// One number of one weight or of X, or a gate, or the temperature.
void change(LayerInput<float>& input, Random& random) {
  const auto cell = [&](Array<float>& matrix) {
    Mat<float> values = *matrix;
    values(below(random, values.rows()), below(random, values.cols())) += 0.5f;
    matrix = share(std::move(values));
  };
  AttentionWeights<float>& w = input.weights;
  switch (below(random, 7)) {
    case 0:
      return cell(w.W_Q);
    case 1:
      return cell(w.W_K);
    case 2:
      return cell(w.W_V);
    case 3:
      return cell(w.W_O);
    case 4:
      return cell(input.X);
    case 5:
      input.gates.assign(static_cast<std::size_t>(input.heads), 1);
      input.gates[static_cast<std::size_t>(below(random, input.heads))] = 0.25f;
      return;
    default:
      input.settings.temperature *= 1.5f;
  }
}

LayerInput<float> keeping(LayerInput<float> input, bool all) {
  input.keep_all = all;
  return input;
}

float largest(const Mat<float>& values) {
  float largest = 0;
  for (Index k = 0; k < values.size(); ++k)
    if (std::isfinite(values.data()[k])) largest = std::max(largest, std::abs(values.data()[k]));
  return largest;
}

void check_same(const LayerTrace<float>& less, const LayerTrace<float>& all) {
  REQUIRE(less.heads.size() == all.heads.size());
  REQUIRE(*less.output == *all.output);
  REQUIRE(*less.concat == *all.concat);
  for (std::size_t h = 0; h < less.heads.size(); ++h) {
    const HeadTrace<float>&a = less.heads[h], &b = all.heads[h];
    const auto head = static_cast<Index>(h);
    for (const auto stage : {&HeadTrace<float>::Q, &HeadTrace<float>::K, &HeadTrace<float>::V,
                             &HeadTrace<float>::attention, &HeadTrace<float>::output})
      REQUIRE(same_bits<float>(a.*stage, b.*stage));
    REQUIRE_FALSE(a.scores);
    REQUIRE_FALSE(a.contribution);
    REQUIRE(same_bits<float>(scores_of(less, head), b.scores));
    REQUIRE(same_bits<float>(contribution_of(less, head), b.contribution));
    REQUIRE(same_bits<float>(pattern_once(less, Quantity::scores, head), pattern_once(all, Quantity::scores, head)));
    REQUIRE(same_bits<float>(contribution_once(less, head), contribution_once(all, head)));
    REQUIRE(a.largest_score == largest(*b.scores));
    REQUIRE(a.largest_contribution == largest(*b.contribution));
  }
  for (const Index token : {Index{0}, less.input.n() / 2, less.input.n() - 1}) {
    const Mat<float> rows = contributions_to(less, token);
    REQUIRE(rows == contributions_to(all, token));
    for (std::size_t h = 0; h < less.heads.size(); ++h)
      REQUIRE(rows.row(static_cast<Index>(h)) == all.heads[h].contribution->row(token));
  }
}

}  // namespace

TEST_CASE("recompute: what is not kept has the bits of what is", "[core][recompute]") {
  Random random(11);
  ThreadPool pool(3);
  for (int round = 0; round < 60; ++round) {
    LayerInput<float> input = random_input(random);
    LayerTrace<float> less = forward<float>(keeping(input, false), nullptr, &pool);
    check_same(less, forward(keeping(input, true)));
    for (int step = 0; step < 4; ++step) {
      change(input, random);
      less = forward(keeping(input, false), &less, step % 2 == 0 ? &pool : nullptr);
      check_same(less, forward(keeping(input, true)));
    }
  }
}

TEST_CASE("recompute: stamps say what changed, and what was recomputed stays at hand", "[core][recompute]") {
  Random random(12);
  const LayerInput<float> input = keeping(random_layer<float>(random, 70, 12, 3), false);
  const LayerTrace<float> before = forward(input);
  LayerInput<float> next = input;
  Mat<float> W = *input.weights.W_Q;
  W(0, 5) += 1;  // of head 1
  next.weights.W_Q = replaced_block(input.weights.W_Q, std::move(W), 0, 5, 1, 1);
  const LayerTrace<float> after = forward(next, &before);
  for (const std::size_t h : {0u, 2u}) {
    CHECK(after.heads[h].scores == before.heads[h].scores);
    CHECK(after.heads[h].contribution == before.heads[h].contribution);
  }
  CHECK(after.heads[1].scores != before.heads[1].scores);
  CHECK(after.heads[1].contribution != before.heads[1].contribution);
  CHECK(scores_of(after, 1).owner() == scores_of(after, 1).owner());
  CHECK(contribution_of(after, 1).owner() == contribution_of(after, 1).owner());
  CHECK(pattern_once(after, Quantity::scores, 1).owner() != pattern_once(after, Quantity::scores, 1).owner());
  CHECK(pattern_once(after, Quantity::scores, 1) == after.heads[1].scores);
  // Of a contribution the rows that are looked at.
  const Array<float> contribution = contribution_of(after, 2);
  CHECK(same_bits<float>(contribution.rows(40, 1), contribution_once(after, 2)->middleRows(40, 1)));
  CHECK_FALSE(contribution.is_read());
  CHECK(same_bits<float>(*contribution, *contribution_once(after, 2)));
  CHECK(ungated(after).output == after.output);
  // All kept after a trace of the same sizes that keeps less: nothing of it is taken for the whole.
  const LayerTrace<float> all = forward(keeping(next, true), &after);
  CHECK(all.heads[0].scores.size() == 70 * 70);
}

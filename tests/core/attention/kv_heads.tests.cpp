// Heads that share keys and values: grouped-query and multi-query attention.
#include <catch2/catch.hpp>

#include "core/linalg/same_bits.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

// The same layer with a copy of its group's keys and values for every head.
template <class S>
LayerInput<S> repeated(LayerInput<S> input) {
  const Index d_k = input.d_k(), d_model = input.d_model();
  const auto repeat = [&](const auto& values) {
    Mat<S> all(values.rows(), d_model);
    for (Index h = 0; h < input.heads; ++h)
      all.middleCols(h * d_k, d_k) = values.middleCols(input.kv_head(h) * d_k, d_k);
    return all;
  };
  AttentionWeights<S>& w = input.weights;
  for (Array<S>* W : {&w.W_K, &w.W_V}) *W = share(repeat(**W));
  for (Array<S>* b : {&w.b_K, &w.b_V})
    if (*b) *b = share(RowVec<S>(repeat(**b)));
  input.group_size = 1;
  return input;
}

void check_same(const LayerTrace<float>& a, const LayerTrace<float>& b) {
  REQUIRE(a.heads.size() == b.heads.size());
  for (std::size_t h = 0; h < a.heads.size(); ++h) {
    CHECK(same_bits<float>(a.heads[h].K, b.heads[h].K));
    CHECK(same_bits<float>(a.heads[h].V, b.heads[h].V));
    CHECK(same_bits<float>(a.heads[h].attention, b.heads[h].attention));
    CHECK(same_bits<float>(a.heads[h].contribution, b.heads[h].contribution));
  }
  CHECK(same_bits<float>(a.concat, b.concat));
  CHECK(same_bits<float>(a.output, b.output));
}

}  // namespace

TEST_CASE("kv heads: shared keys and values are those of every head of the group", "[core][kv_heads]") {
  Random random(3);
  for (const Index kv_heads : {1, 2, 3, 6}) {
    CAPTURE(kv_heads);
    LayerInput<float> input = test::random_layer<float>(random, 9, 12, 6, true, 6 / kv_heads);
    input.mask = test::causal_mask();
    const LayerTrace<float> shared = forward<float>(input);
    check_same(shared, forward<float>(repeated(input)));
    for (Index h = 0; h < 6; ++h) {
      const auto first = static_cast<std::size_t>(input.kv_head(h) * (6 / kv_heads));
      CHECK(shared.heads[static_cast<std::size_t>(h)].K == shared.heads[first].K);  // the very same matrix
      CHECK(shared.heads[static_cast<std::size_t>(h)].V == shared.heads[first].V);
    }
  }
}

TEST_CASE("kv heads: after an edit it is what it is from scratch", "[core][kv_heads]") {
  Random random(5);
  LayerInput<float> input = test::random_layer<float>(random, 7, 12, 6, true, 3);
  LayerTrace<float> kept = forward<float>(input);
  const auto below = [&](Index count) { return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(count)); };
  for (int k = 0; k < 60; ++k) {
    Array<float>& W = k % 3 == 0 ? input.weights.W_K : k % 3 == 1 ? input.weights.W_V : input.weights.W_Q;
    Mat<float> values = *W;
    values(below(values.rows()), below(values.cols())) += 0.5f;
    W = share(std::move(values));
    if (k % 5 == 2) {  // some heads' values painted, in changing places
      input.painted.assign(6, {});
      input.painted[static_cast<std::size_t>(below(6))].values.push_back(
          {below(7), test::random_bias<float>(random, 2)});
    }
    if (k % 11 == 7) input.painted.clear();
    kept = forward<float>(input, &kept);
    check_same(kept, forward<float>(input));
  }
}

TEST_CASE("kv heads: fewer are the means of groups, more are repeated", "[core][kv_heads]") {
  Random random(6);
  const LayerInput<float> input = test::random_layer<float>(random, 5, 12, 6, true);
  const AttentionWeights<float> two = with_kv_heads(input.weights, 6, 2);
  REQUIRE(two.W_K->cols() == 4);
  const MatView<float> K = *input.weights.W_K;
  const Mat<float> mean = (K.leftCols(2) + K.middleCols(2, 2) + K.middleCols(4, 2)) / 3;
  CHECK((two.W_K->leftCols(2) - mean).cwiseAbs().maxCoeff() < 1e-6f);
  CHECK(two.W_Q == input.weights.W_Q);
  CHECK(two.b_V->cols() == 4);

  // Repeating changes nothing that is computed, and going back loses nothing.
  LayerInput<float> grouped = input;
  grouped.weights = two;
  grouped.group_size = 3;
  LayerInput<float> six = grouped;
  six.weights = with_kv_heads(two, 6, 6);
  six.group_size = 1;
  check_same(forward<float>(six), forward<float>(grouped));
  CHECK(same_bits<float>(with_kv_heads(six.weights, 6, 2).W_K, two.W_K));
  // From 2 to 3 by way of all six: head 2 is the first of a new group.
  CHECK(with_kv_heads(two, 6, 3).W_K->middleCols(2, 2) ==
        Mat<float>((two.W_K->leftCols(2) + two.W_K->rightCols(2)) / 2));
}

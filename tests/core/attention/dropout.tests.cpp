// Weights that are dropped (ops/dropout.h): by the definition, by every way of computing heads, at every place alike.
#include "core/ops/dropout.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/models/layers.h"
#include "tests/support/other_computations.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using D = Mat<double>;

LayerInput<double> dropping_layer(Random& random, Index n, Index d_model, Index heads, double rate) {
  LayerInput<double> input = random_layer<double>(random, n, d_model, heads, true);
  input.settings.dropout = rate;
  input.settings.dropout_seed = 5;
  input.layer = 2;
  return input;
}

}  // namespace

TEST_CASE(
    "dropout: which weights go follows from seed, layer, head and places by the definition, about as many as said",
    "[core][ops][dropout]") {
  LayerSettings settings;
  settings.dropout = 0.25;
  settings.dropout_seed = 5;
  const auto first = [](std::uint64_t state) { return Random(state).bits(); };
  const std::uint64_t key = first(first(first(5) + 2) + 1);
  const dropout::Rule rule = dropout::rule_of(settings, 2, 1);
  int gone = 0;
  for (Index i = 0; i < 100; ++i)
    for (Index j = 0; j < 100; ++j) {
      const std::uint64_t drawn = first(first(key + static_cast<std::uint64_t>(i)) + static_cast<std::uint64_t>(j));
      const bool expected = static_cast<double>(drawn >> 11) * 0x1p-53 < 0.25;
      CHECK(dropout::Row(rule, i).factor(j) == (expected ? 0 : 1 / 0.75));
      gone += expected;
    }
  CHECK(gone > 2300);  // 2500, within 4.6 deviations
  CHECK(gone < 2700);
  const auto differs = [&](const dropout::Rule& other) {
    int differ = 0;
    for (Index j = 0; j < 100; ++j) differ += dropout::Row(rule, 0).factor(j) != dropout::Row(other, 0).factor(j);
    return differ;
  };
  CHECK(differs(dropout::rule_of(settings, 2, 1)) == 0);
  CHECK(differs(dropout::rule_of(settings, 2, 0)) > 20);
  CHECK(differs(dropout::rule_of(settings, 1, 1)) > 20);
  settings.dropout_seed = 6;
  CHECK(differs(dropout::rule_of(settings, 2, 1)) > 20);
}

TEST_CASE("dropout: D is A less what is dropped, the rest larger, and multiplies V", "[core][dropout]") {
  Random random(61);
  LayerInput<double> input = dropping_layer(random, 40, 12, 3, 0.4);
  const LayerTrace<double> trace = forward<double>(input);
  LayerInput<double> whole = input;
  whole.settings.dropout = 0;
  const LayerTrace<double> without = forward<double>(whole);
  double sum = 0;
  for (std::size_t h = 0; h < 3; ++h) {
    const HeadTrace<double>& head = trace.heads[h];
    CHECK(*head.attention == *without.heads[h].attention);
    const dropout::Rule rule = dropout::rule_of(input.settings, 2, static_cast<Index>(h));
    for (Index i = 0; i < 40; ++i)
      for (Index j = 0; j < 40; ++j) {
        const double factor = dropout::Row(rule, i).factor(j);
        CHECK((*head.dropped_attention)(i, j) == Approx((*head.attention)(i, j) * factor));
      }
    CHECK(largest_difference(*head.output, D(*head.dropped_attention * *head.V)) < 1e-13);
    sum += head.dropped_attention->sum() / 40 / 3;
    CHECK_FALSE(without.heads[h].dropped_attention.stamp());
  }
  CHECK(std::abs(sum - 1) < 0.1);  // rows sum to 1 on average only
  CHECK(std::abs(trace.heads[0].dropped_attention->row(3).sum() - 1) > 1e-3);
}

TEST_CASE("dropout: every way of computing heads drops the same weights", "[core][dropout]") {
  Random random(62);
  for (const bool differential : {false, true}) {
    LayerInput<double> input = dropping_layer(random, 150, 12, 3, 0.3);
    if (differential) {
      input.settings.differential = true;
      for (Array<double>* row :
           {&input.weights.lambda_q1, &input.weights.lambda_k1, &input.weights.lambda_q2, &input.weights.lambda_k2})
        *row = random_bias<double>(random, 2);
      input.weights.gain_O = random_bias<double>(random, 12);
    }
    check_other_computations(input);
    input.mask = causal_mask();
    input.settings.sink = SinkKind::zero;
    check_other_computations(input);
    input.mask.window = 7;
    check_other_computations(input);
  }
  LayerInput<double> talking = dropping_layer(random, 70, 12, 3, 0.3);
  talking.settings.talking_heads = TalkingHeads::both;
  talking.weights.P_L = share_rows(random_matrix<double>(random, 3, 3));
  talking.weights.P_W = share_rows(random_matrix<double>(random, 3, 3));
  check_other_computations(talking);
  talking.mask = causal_mask();
  check_other_computations(talking);
}

TEST_CASE("dropout: what a large trace does not keep is made again, and another seed shares A", "[core][dropout]") {
  Random random(63);
  LayerInput<double> input = dropping_layer(random, 150, 12, 3, 0.3);
  const LayerTrace<double> whole = forward<double>(input);
  input.keep_all = false;
  const LayerTrace<double> large = forward<double>(input);
  CHECK(*large.output == *whole.output);
  CHECK_FALSE(large.heads[1].dropped_attention);
  CHECK(*pattern_of(large, Quantity::dropped_attention, 1) == *whole.heads[1].dropped_attention);
  input.settings.dropout_seed = 6;
  const LayerTrace<double> other = forward<double>(input, &large);
  CHECK(other.heads[1].attention == large.heads[1].attention);
  CHECK_FALSE(*other.output == *large.output);
  CHECK(*other.output == *forward<double>(input).output);
}

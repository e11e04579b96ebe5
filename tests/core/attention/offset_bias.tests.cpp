// A bias by offset (ops/scores.h): by hand, by every way of computing heads, and what an edit of it makes anew.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/models/layers.h"
#include "tests/support/other_computations.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using D = Mat<double>;

LayerInput<double> biased_layer(Random& random, Index n, Index d_model, Index heads, Index reach) {
  LayerInput<double> input = random_layer<double>(random, n, d_model, heads, true);
  input.settings.offset_bias = true;
  input.settings.offset_reach = reach;
  input.weights.offset_bias = share_rows(random_matrix<double>(random, heads, 2 * reach + 1, 2));
  return input;
}

}  // namespace

TEST_CASE("offset bias: a score has its head's number for the key's offset, those beyond the reach as it",
          "[core][ops][offset_bias]") {
  Random random(51);
  LayerInput<double> input = biased_layer(random, 7, 6, 2, 2);
  const D B = *input.weights.offset_bias;
  LayerInput<double> plain = input;
  plain.settings.offset_bias = false;
  plain.weights.offset_bias = nullptr;
  for (const Mask::Kind kind : {Mask::Kind::none, Mask::Kind::causal}) {
    input.mask.kind = plain.mask.kind = kind;
    const LayerTrace<double> with = forward<double>(input), without = forward<double>(plain);
    const auto added = [&](std::size_t h, Index i, Index j) {
      return (*with.heads[h].scores)(i, j) - (*without.heads[h].scores)(i, j);
    };
    for (const std::size_t h : {0, 1}) {
      const auto of_head = static_cast<Index>(h);
      CHECK(added(h, 3, 3) == Approx(B(of_head, 2)));
      CHECK(added(h, 3, 2) == Approx(B(of_head, 1)));
      CHECK(added(h, 6, 4) == Approx(B(of_head, 0)));
      CHECK(added(h, 6, 0) == Approx(B(of_head, 0)));
      if (kind == Mask::Kind::causal) {
        CHECK((*with.heads[h].scores)(2, 3) == -std::numeric_limits<double>::infinity());
        continue;
      }
      CHECK(added(h, 2, 3) == Approx(B(of_head, 3)));
      CHECK(added(h, 2, 4) == Approx(B(of_head, 4)));
      CHECK(added(h, 0, 6) == Approx(B(of_head, 4)));
    }
  }
}

TEST_CASE("offset bias: heads that have nothing else attend by offset alone, as far as they reach",
          "[core][offset_bias]") {
  Random random(52);
  LayerInput<double> input = biased_layer(random, 9, 4, 2, 1);
  input.weights.W_Q = share_columns(D(D::Zero(4, 4)));
  input.weights.b_Q = nullptr;
  input.weights.offset_bias = share_rows(D(matrix({{50, 0, 0}, {0, 0, 50}})));
  const LayerTrace<double> trace = forward<double>(input);
  // The first head looks at all before its query alike, the second at all after it.
  CHECK((*trace.heads[0].attention)(5, 2) == Approx(0.2));
  CHECK((*trace.heads[0].attention)(5, 5) == Approx(0).margin(1e-12));
  CHECK((*trace.heads[1].attention)(5, 6) == Approx(1.0 / 3));
}

TEST_CASE("offset bias: every way of computing heads gives the same", "[core][offset_bias]") {
  Random random(53);
  for (const Index reach : {1, 5, 200}) {
    LayerInput<double> input = biased_layer(random, 150, 12, 3, reach);
    check_other_computations(input);
    input.mask = causal_mask();
    input.settings.alibi = true;
    input.settings.soft_cap = 2;
    input.settings.sink = SinkKind::zero;
    check_other_computations(input);
    input.mask.window = 4;
    input.settings.rotary = true;
    check_other_computations(input);
  }
}

TEST_CASE("offset bias: another number of it makes its own head anew, to the bits of a whole run",
          "[core][offset_bias]") {
  Random random(54);
  for (const bool keep_all : {true, false}) {
    LayerInput<double> input = biased_layer(random, 150, 12, 3, 4);
    input.keep_all = keep_all;
    const LayerTrace<double> before = forward<double>(input);
    D values = *input.weights.offset_bias;
    values(1, 6) += 1;
    input.weights.offset_bias = replaced_block(input.weights.offset_bias, std::move(values), 1, 6, 1, 1);
    const LayerTrace<double> after = forward<double>(input, &before), anew = forward<double>(input);
    CHECK(*after.output == *anew.output);
    CHECK(after.heads[0].attention == before.heads[0].attention);
    CHECK(after.heads[1].Q == before.heads[1].Q);
    CHECK_FALSE(after.heads[1].attention == before.heads[1].attention);
    CHECK(*scores_of(after, 1) == *scores_of(anew, 1));
  }
}

// Measures of weights that may be negative and whose rows may have any sum: shares of their sizes.
#include "core/analysis/shares.h"

#include <catch2/catch.hpp>

#include "core/analysis/cost/timing.h"
#include "core/analysis/head_pattern.h"
#include "core/analysis/likeness/likeness.h"
#include "core/analysis/roles/roles.h"
#include "core/analysis/stream/rollout.h"
#include "core/analysis/weighted.h"
#include "core/document/evaluate.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/models/layers.h"

using namespace hydra;
using namespace hydra::test;

namespace {

using F = Mat<float>;

LayerInput<float> talking(Random& random, Index n, Index heads) {
  LayerInput<float> input = random_layer<float>(random, n, 12, heads, true);
  input.settings.talking_heads = TalkingHeads::both;
  input.weights.P_L = share_rows(random_matrix<float>(random, heads, heads, 2));
  input.weights.P_W = share_rows(random_matrix<float>(random, heads, heads, 2));
  return input;
}

}  // namespace

TEST_CASE("shares: sizes of weights, by hand", "[core][analysis][shares]") {
  const F weights{{1, -3, 0}, {0.25f, -0.25f, 0.25f}, {0, 0, 0}, {0.5f, 0.25f, 0.25f}};
  const F shares{{0.25f, 0.75f, 0}, {0.25f, 0.25f, 0.25f}, {0, 0, 0}, {0.5f, 0.25f, 0.25f}};
  CHECK(shares_of(weights) == shares);
}

TEST_CASE("shares: what softmax gives is its own, of heads that talk before it, too", "[core][analysis][shares]") {
  Random random(1);
  LayerInput<float> input = talking(random, 6, 3);
  input.settings.talking_heads = TalkingHeads::before;
  const LayerTrace<float> trace = forward<float>(input);
  CHECK(attention_shares(trace, 1) == trace.heads[1].attention);
}

TEST_CASE("shares: heads that talk have entropies, masses and divergences of distributions, and cosines below 0",
          "[core][analysis][shares]") {
  Random random(2);
  double least_cosine = 1;
  for (int draw = 0; draw < 20; ++draw) {
    const LayerTrace<float> trace = forward<float>(talking(random, 7, 4));
    const std::vector<std::string> tokens(7, "word");
    const SentenceTargets targets = sentence_targets(tokens, {}, nullptr, trace.input.mask);
    for (int h = 0; h < 4; ++h) {
      const RoleMeasures m = finish(head_sums(trace, h, targets));
      CHECK(m.rows == 7);
      CHECK(m[head_number::entropy_bits] >= 0);
      CHECK(m[head_number::entropy_fraction] <= 1);
      CHECK(m[head_number::confidence] <= 1);
      CHECK(m[head_number::mean_distance] >= 0);
    }
    LikenessMatrices likeness(nullptr);
    likeness.set({trace});
    const Mat<double> cosines = likeness.matrix(Likeness::cosine), js = likeness.matrix(Likeness::js_bits),
                      kl = likeness.matrix(Likeness::kl_bits);
    CHECK(cosines.maxCoeff() <= 1);
    CHECK(cosines.minCoeff() >= -1);
    CHECK(js.allFinite());
    CHECK(js.minCoeff() >= 0);
    CHECK(kl.minCoeff() >= 0);
    CHECK(js.diagonal().cwiseAbs().maxCoeff() < 1e-6);
    least_cosine = std::min(least_cosine, cosines.minCoeff());
  }
  CHECK(least_cosine < -0.2);
}

TEST_CASE("shares: the identity among heads leaves every measure what it was", "[core][analysis][shares]") {
  Random random(3);
  LayerInput<float> input = random_layer<float>(random, 8, 12, 3, true);
  input.settings.sink = SinkKind::zero;
  const LayerTrace<float> plain = forward<float>(input);
  input.settings.talking_heads = TalkingHeads::both;
  input.weights.P_L = input.weights.P_W = share_rows(F(F::Identity(3, 3)));
  const LayerTrace<float> talk = forward<float>(input);
  const std::vector<std::string> tokens(8, "word");
  const SentenceTargets targets = sentence_targets(tokens, {}, nullptr, input.mask);
  LikenessMatrices of_plain(nullptr), of_talk(nullptr);
  of_plain.set({plain});
  of_talk.set({talk});
  for (const LikenessEntry& entry : likenesses())
    CHECK(of_talk.matrix(entry.measure).isApprox(of_plain.matrix(entry.measure), 1e-6));
  for (int h = 0; h < 3; ++h) {
    const RoleMeasures a = finish(head_sums(plain, h, targets)), b = finish(head_sums(talk, h, targets));
    CHECK(b[head_number::entropy_bits] == Approx(a[head_number::entropy_bits]).epsilon(1e-6));
    CHECK(b[head_number::confidence] == Approx(a[head_number::confidence]).epsilon(1e-6));
    CHECK(b[head_number::removal] == Approx(a[head_number::removal]).epsilon(1e-6));
  }
}

TEST_CASE("shares: rollout takes weights that are negative by their sizes", "[core][analysis][rollout]") {
  // Half of the first head's pattern less the other's: the sizes of what is left, by hand.
  Document document = default_document();
  document.layer(0).heads = 2;
  document.layer(0).settings.talking_heads = TalkingHeads::after;
  document.layer(0).weights = weights_of(document.layer(0).source, document.layer(0), document.d_model);
  document.layer(0).weights.P_W = share_rows(F{{0.5f, -0.5f}, {-2, 2}});
  const auto trace = evaluate(document);
  const LayerTrace<float>& layer = trace->layer(0);
  REQUIRE(layer.heads[0].attention->minCoeff() < 0);
  Mat<double> expected = Mat<double>::Zero(12, 12);
  for (std::size_t h = 0; h < 2; ++h) {
    Mat<double> sizes = layer.heads[h].attention->cast<double>().cwiseAbs();
    for (Index i = 0; i < 12; ++i) sizes.row(i) /= std::max(1.0, sizes.row(i).sum());
    expected += sizes / 2;
  }
  for (Index i = 0; i < 12; ++i) expected.row(i) /= expected.row(i).sum();
  CHECK(rollout(*trace, 1, RolloutKind::attention).isApprox(expected, 1e-6));
  CHECK(rollout(*trace, 1, RolloutKind::value_weighted).minCoeff() >= 0);
  CHECK(value_weighted_attention(layer, 0).minCoeff() < 0);
  CHECK(largest_value_weighted(layer, 0) == Approx(value_weighted_attention(layer, 0).cwiseAbs().maxCoeff()));
}

TEST_CASE("shares: of heads that talk the combined way alone is timed, and decoding", "[core][analysis][timing]") {
  Random random(4);
  const LayerInput<float> input = talking(random, 6, 3);
  TimingLimits limits;
  limits.seconds = 0;
  limits.least_runs = 1;
  const Timings timings = measure_ways(input, {4, 9}, limits, {}, {});
  REQUIRE(timings.ways.size() == 2);
  for (const WayTiming& timing : timings.ways) CHECK(timing.way == Way::combined);
  CHECK(timings.steps.size() == 2);
}

TEST_CASE("shares: what a sink takes is what the weights leave of 1", "[core][analysis][shares][sink]") {
  Random random(5);
  LayerInput<float> input = random_layer<float>(random, 6, 12, 2);
  CHECK_FALSE(sink_shares(forward<float>(input), 0));
  const std::vector<std::string> tokens(6, "word");
  const SentenceTargets targets = sentence_targets(tokens, {}, nullptr, input.mask);
  CHECK(std::isnan(finish(head_sums(forward<float>(input), 0, targets))[head_number::sink]));

  input.settings.sink = SinkKind::learned;
  input.weights.sink = share_columns(F{{1.5f, -30}});
  input.painted.resize(2);
  input.painted[0].attention = {{2, share(RowVec<float>{{0.2f, 0.3f, 0.5f, 0, 0, 0}})}};
  const LayerTrace<float> trace = forward<float>(input);
  const std::vector<double> taken = sink_shares(trace, 0).value();
  double sum = 0;
  for (Index i = 0; i < 6; ++i) {
    const auto e = trace.heads[0].scores->row(i).cast<double>().array().exp().eval();
    const double expected = i == 2 ? 0 : std::exp(1.5) / (std::exp(1.5) + e.sum());
    CHECK(taken[static_cast<std::size_t>(i)] == Approx(expected).margin(1e-6));
    sum += expected;
  }
  CHECK(finish(head_sums(trace, 0, targets))[head_number::sink] == Approx(sum / 6).margin(1e-6));
  CHECK(finish(head_sums(trace, 1, targets))[head_number::sink] == Approx(0).margin(1e-6));  // a score of -30

  // Over sentences it is of all their rows, and a row that sees nothing does not count.
  input.painted.clear();
  Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(6, 6);
  allowed.row(0).setZero();
  input.mask = {Mask::Kind::custom, share(std::move(allowed))};
  const LayerTrace<float> masked = forward<float>(input);
  CHECK(sink_shares(masked, 0)->front() == 1);
  RoleSums both = head_sums(masked, 0, sentence_targets(tokens, {}, nullptr, input.mask));
  CHECK(finish(both).rows_of(head_number::sink) == 5);
  const double one = 5 * finish(both)[head_number::sink];
  both += head_sums(trace, 0, targets);
  CHECK(finish(both)[head_number::sink] == Approx((one + sum) / 11).margin(1e-6));

  LayerTrace<float> signed_layer = masked;
  signed_layer.input.settings.talking_heads = TalkingHeads::after;
  CHECK_FALSE(sink_shares(signed_layer, 0));
}

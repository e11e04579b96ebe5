// The measures of random heads.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/roles/role_baseline.h"
#include "core/text/embedding.h"

using namespace hydra;

namespace {

const std::vector<std::string> kTokens{"the", "cat", "sat", ",", "the", "cat", "ran"};

Array<float> input(Index d_model) { return share(hashed_embedding(kTokens, d_model, 1)); }

SentenceTargets targets(Mask mask = {}) { return sentence_targets(kTokens, {}, nullptr, mask); }

}  // namespace

TEST_CASE("role baseline: at least 32 heads, at least two draws", "[core][analysis][roles]") {
  CHECK(random_draws(1) == 32);
  CHECK(random_draws(8) == 4);
  CHECK(random_draws(12) == 3);
  CHECK(random_draws(32) == 2);
  CHECK(random_draws(96) == 2);
}

TEST_CASE("role baseline: without an input all heads are uniform, and so is chance", "[core][analysis][roles]") {
  const SentenceTargets t = targets();
  const RoleMeasures m = random_baseline({{share(Mat<float>(Mat<float>::Zero(7, 8))), &t}}, {4, 4, 0.7f});
  CHECK(m[head_number::entropy_bits] == Approx(std::log2(7)));
  CHECK(m.pattern(TokenPattern::previous).mass == Approx(1.0 / 7));
  CHECK(m.pattern(TokenPattern::same_word).mass == Approx(1.0 / 7));
  CHECK(m.pattern(TokenPattern::same_word).rows == 4);
  CHECK(std::isnan(m[head_number::removal]));  // nothing comes out
}

TEST_CASE("role baseline: the mean over heads that the forward pass gives, whatever the threads",
          "[core][analysis][roles]") {
  const Mask mask{Mask::Kind::causal, nullptr};
  const SentenceTargets t = targets(mask);
  LayerInput<float> in;
  in.X = input(12);
  in.heads = 3;
  in.mask = mask;
  in.settings.temperature = 1.5f;
  in.group_size = GENERATE(1, 3);  // each head its own keys and values, or all the same
  in.split = in.group_size == 1 ? GENERATE(Split::projection, Split::slice) : Split::projection;
  const Index d_k = in.split == Split::slice ? 4 : GENERATE(4, 6);  // 3 heads of 12 columns, and of a d_k of their own
  const auto drawn = [&](std::uint64_t seed) {
    return restricted(initial_weights({12, 3 * d_k, 3 / in.group_size * d_k}, Init::xavier, seed), d_k, in.split);
  };
  in.weights = drawn(1);
  const RoleMeasures once = random_baseline({{in.X, &t}}, heads_like(in));
  ThreadPool pool(3);
  const RoleMeasures again = random_baseline({{in.X, &t}}, heads_like(in), &pool);
  CHECK(once[head_number::confidence] == again[head_number::confidence]);
  CHECK(once[head_number::removal] == again[head_number::removal]);

  std::vector<RoleMeasures> heads;
  for (std::uint64_t draw = 0; draw < 11; ++draw) {  // 11 x 3 heads
    in.weights = drawn(5'000'000 + draw);
    const LayerTrace<float> trace = forward<float>(in);
    for (int h = 0; h < 3; ++h) heads.push_back(finish(head_sums(trace, h, t)));
  }
  const RoleMeasures mean = mean_of(heads);
  CHECK(once[head_number::confidence] == Approx(mean[head_number::confidence]).epsilon(1e-5));
  CHECK(once[head_number::entropy_bits] == Approx(mean[head_number::entropy_bits]).epsilon(1e-5));
  CHECK(once.pattern(TokenPattern::induction).mass == Approx(mean.pattern(TokenPattern::induction).mass).epsilon(1e-5));
  CHECK(once.positional_share == Approx(mean.positional_share).epsilon(1e-5));
  CHECK(once[head_number::removal] == Approx(mean[head_number::removal]).epsilon(1e-5));
}

TEST_CASE("role baseline: sentences are pooled per head before the mean", "[core][analysis][roles]") {
  const SentenceTargets t = targets();
  const std::vector<BaselineSentence> once{{input(8), &t}}, twice{{input(8), &t}, {input(8), &t}};
  const RoleMeasures a = random_baseline(once, {2, 2, 0.5f}), b = random_baseline(twice, {2, 2, 0.5f});
  CHECK(b.rows == 2 * a.rows);
  CHECK(b[head_number::confidence] == Approx(a[head_number::confidence]));
  CHECK(b.positional_share == Approx(a.positional_share));
}

TEST_CASE("role baseline: the entropies are those of layers that are drawn anew", "[core][analysis][roles]") {
  const auto [heads, kv_heads, split] = GENERATE(table<Index, Index, Split>({{8, 8, Split::projection},
                                                                             {8, 2, Split::projection},
                                                                             {8, 1, Split::projection},
                                                                             {16, 1, Split::projection},
                                                                             {8, 8, Split::slice}}));
  CAPTURE(heads, kv_heads, split == Split::slice);
  const SentenceTargets t = targets();
  LayerInput<float> in;
  in.X = input(64);
  in.heads = heads;
  in.group_size = heads / kv_heads;
  in.split = split;
  double sum = 0, squares = 0;
  constexpr int kLayers = 150;
  for (std::uint64_t seed = 1; seed <= kLayers; ++seed) {
    const Index d_k = 64 / heads;
    in.weights = restricted(initial_weights({64, 64, kv_heads * d_k}, Init::xavier, seed), d_k, split);
    const LayerTrace<float> trace = forward<float>(in);
    double entropy = 0;
    for (int h = 0; h < heads; ++h)
      entropy +=
          finish(pattern_sums(*trace.heads[static_cast<std::size_t>(h)].attention, t))[head_number::entropy_bits];
    entropy /= static_cast<double>(heads);
    sum += entropy;
    squares += entropy * entropy;
  }
  const double mean = sum / kLayers, variance = squares / kLayers - mean * mean;
  const double error = std::sqrt(variance / kLayers + variance / static_cast<double>(random_draws(heads)));
  const double baseline = random_baseline({{in.X, &t}}, heads_like(in))[head_number::entropy_bits];
  CAPTURE(mean, error, baseline);
  CHECK(std::abs(baseline - mean) < 3 * error);
}

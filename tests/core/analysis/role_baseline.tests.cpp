// The measures of random heads.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/role_baseline.h"
#include "core/text/embedding.h"

using namespace hydra;

namespace {

const std::vector<std::string> kTokens{"the", "cat", "sat", ",", "the", "cat", "ran"};

MatPtr<float> input(Index d_model) { return share(hashed_embedding(kTokens, d_model, 1)); }

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
  const RoleMeasures m = random_baseline({{share(Mat<float>(Mat<float>::Zero(7, 8))), &t}}, {4, 4, 0.7f}).mean;
  CHECK(m.entropy_bits == Approx(std::log2(7)));
  CHECK(m.pattern(TokenPattern::previous).mass == Approx(1.0 / 7));
  CHECK(m.pattern(TokenPattern::same_word).mass == Approx(1.0 / 7));
  CHECK(m.pattern(TokenPattern::same_word).rows == 4);
  CHECK(std::isnan(m.removal));  // nothing comes out
}

TEST_CASE("role baseline: the mean over heads that the forward pass gives, whatever the threads",
          "[core][analysis][roles]") {
  const Mask mask{Mask::Kind::causal, nullptr};
  const SentenceTargets t = targets(mask);
  LayerInput<float> in;
  in.X = input(12);
  in.heads = 3;
  in.mask = mask;
  in.temperature = 1.5f;
  in.kv_heads = GENERATE(0, 1);  // each head its own keys and values, or all the same
  const RoleMeasures once = random_baseline({{in.X, &t}}, heads_like(in)).mean;
  ThreadPool pool(3);
  const RoleMeasures again = random_baseline({{in.X, &t}}, heads_like(in), &pool).mean;
  CHECK(once.confidence == again.confidence);
  CHECK(once.removal == again.removal);

  std::vector<RoleMeasures> heads;
  for (std::uint64_t draw = 0; draw < 11; ++draw) {  // 11 x 3 heads
    in.weights = initial_weights(12, Init::xavier, 5'000'000 + draw);
    in.weights.W_K = share(Mat<float>(in.weights.W_K->leftCols(in.kv_width())));
    in.weights.W_V = share(Mat<float>(in.weights.W_V->leftCols(in.kv_width())));
    const LayerTrace<float> trace = forward<float>(in);
    for (int h = 0; h < 3; ++h) heads.push_back(finish(head_sums(trace, h, t)));
  }
  const RoleMeasures mean = chance_of(heads).mean;
  CHECK(once.confidence == Approx(mean.confidence).epsilon(1e-5));
  CHECK(once.entropy_bits == Approx(mean.entropy_bits).epsilon(1e-5));
  CHECK(once.pattern(TokenPattern::induction).mass == Approx(mean.pattern(TokenPattern::induction).mass).epsilon(1e-5));
  CHECK(once.positional_share == Approx(mean.positional_share).epsilon(1e-5));
  CHECK(once.removal == Approx(mean.removal).epsilon(1e-5));
}

TEST_CASE("role baseline: sentences are pooled per head before the mean", "[core][analysis][roles]") {
  const SentenceTargets t = targets();
  const std::vector<BaselineSentence> once{{input(8), &t}}, twice{{input(8), &t}, {input(8), &t}};
  const RoleMeasures a = random_baseline(once, {2, 2, 0.5f}).mean, b = random_baseline(twice, {2, 2, 0.5f}).mean;
  CHECK(b.rows == 2 * a.rows);
  CHECK(b.confidence == Approx(a.confidence));
  CHECK(b.positional_share == Approx(a.positional_share));
}

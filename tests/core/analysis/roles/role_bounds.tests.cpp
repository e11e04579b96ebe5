// What random layers reach, and that names need more.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/roles/role_label.h"
#include "core/text/embedding.h"

using namespace hydra;

namespace {

const std::vector<std::vector<std::string>> kSentences{{"the", "cat", "sat", ",", "the", "cat", "ran", "."},
                                                       {"a", "dog", "saw", "a", "dog", "."},
                                                       {"it", "was", "tired", "because", "it", "ran"}};

// Sentences with marks, and their words' features.
struct Measured {
  std::vector<SentenceTargets> targets;
  std::vector<BaselineSentence> sentences;

  explicit Measured(Index d_model, const Mask& mask = {}) {
    targets.reserve(kSentences.size());
    for (const std::vector<std::string>& tokens : kSentences) {
      std::vector<WordFeatures> words;
      for (const std::string& token : tokens) words.push_back(Lexicon::standard().look_up(token));
      AnnotatedSentence marks;
      marks.tokens = tokens;
      marks.gold[0] = {{4, 1}};
      marks.gold[2] = {{2, 0}, {3, 1}};
      targets.push_back(sentence_targets(tokens, words, &marks, mask));
      sentences.push_back({share(hashed_embedding(tokens, d_model, 1)), &targets.back()});
    }
  }
};

LayerInput<float> layer(const Measured& measured, const HeadsLike& like, std::size_t sentence, std::uint64_t seed,
                        const Mask& mask) {
  LayerInput<float> in;
  in.X = measured.sentences[sentence].X;
  in.heads = like.heads;
  in.group_size = like.heads / like.kv_heads;
  in.mask = mask;
  in.settings = like.settings;
  in.settings.scale = false;
  in.settings.temperature = 1 / like.score_factor;
  in.weights = random_weights(in.X->cols(), like, seed);
  return in;
}

HeadsLike with_variants() {
  HeadsLike like{4, 2, 1.5f};
  like.settings.sink = SinkKind::zero;
  like.settings.soft_cap = 3;
  like.settings.alibi = like.settings.qk_norm = like.settings.rotary = true;
  like.settings.rotary_base = 10;
  return like;
}

HeadsLike talking() {
  HeadsLike like{4, 4, 1.5f};
  like.settings.talking_heads = TalkingHeads::both;
  return like;
}

HeadsLike differential() {
  HeadsLike like{4, 2, 1.5f};
  like.settings.differential = like.settings.qk_norm = true;
  like.settings.lambda_0 = 0.5;
  return like;
}

// Of all heads of the layer.
std::vector<RoleMeasures> heads_of(const Measured& measured, const HeadsLike& like, std::uint64_t seed,
                                   const Mask& mask) {
  std::vector<RoleSums> sums(static_cast<std::size_t>(like.heads));
  for (std::size_t k = 0; k < measured.sentences.size(); ++k) {
    const LayerTrace<float> trace = forward<float>(layer(measured, like, k, seed, mask));
    for (std::size_t h = 0; h < sums.size(); ++h) sums[h] += head_sums(trace, static_cast<int>(h), measured.targets[k]);
  }
  std::vector<RoleMeasures> heads;
  for (const RoleSums& head : sums) heads.push_back(finish(head));
  return heads;
}

}  // namespace

TEST_CASE("role bounds: the best of a layer is that of its heads as the role table measures them",
          "[core][analysis][roles]") {
  const Mask mask = GENERATE(Mask{}, Mask{Mask::Kind::causal, nullptr});
  const auto like =
      GENERATE(HeadsLike{4, 4, 0.9f}, HeadsLike{4, 2, 2.5f}, HeadsLike{4, 2, 1.0f, Split::projection, {}, 20},
               HeadsLike{4, 4, 1.0f, Split::slice}, with_variants(), talking(), differential());
  const Measured measured(16, mask);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto best = best_of_layer(measured.sentences, like, seed);
    std::array<double, kClaims> expected;
    expected.fill(kUndefined);
    for (const RoleMeasures& head : heads_of(measured, like, seed, mask)) {
      const Claims claims = claims_of(head);
      for (std::size_t k = 0; k < claims.size(); ++k)
        if (!(expected[k] >= claims[k].score)) expected[k] = claims[k].score;
    }
    for (std::size_t k = 0; k < best.size(); ++k) {
      CAPTURE(claim_key(static_cast<int>(k)), best[k], expected[k]);
      CHECK(std::isnan(best[k]) == std::isnan(expected[k]));
      if (!std::isnan(best[k])) CHECK(best[k] == Approx(expected[k]).margin(2e-5));
    }
  }
}

TEST_CASE("role bounds: as many layers may be above as say so with 99 % confidence", "[core][analysis][roles]") {
  CHECK(exceeding_layers(89) == 0);  // 0.95^89 = 0.0104
  CHECK(exceeding_layers(90) == 1);
  CHECK(exceeding_layers(400) == 11);
  for (const Index layers : {90, 150, 233, 400}) {
    const Index k = exceeding_layers(layers);
    // With 5 % of all layers above it, so few of these would be in at most 1 % of all drawings.
    double below = 0;
    for (Index i = 0; i <= k; ++i) {
      const auto n = static_cast<double>(layers), x = static_cast<double>(i);
      const double probability = std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                                          x * std::log(0.05) + (n - x) * std::log(0.95));
      if (i < k) CHECK(below + probability <= 0.01);
      if (i == k) CHECK(below + probability > 0.01);
      below += probability;
    }
  }
}

TEST_CASE("role bounds: hardly any layer of other seeds is above them", "[core][analysis][roles]") {
  const Mask mask = GENERATE(Mask{}, Mask{Mask::Kind::causal, nullptr});
  const Measured measured(8, mask);
  const HeadsLike like{4, 4, 2.0f};
  const NameBounds bounds = name_bounds(measured.sentences, like);
  CHECK(bounds.layers == kMostLayers);
  CHECK(bounds.heads == 4);
  int named = 0;
  constexpr int kLayers = 300;
  for (int seed = 1; seed <= kLayers; ++seed) {
    const std::vector<RoleMeasures> heads = heads_of(measured, like, static_cast<std::uint64_t>(seed), mask);
    named += std::any_of(heads.begin(), heads.end(),
                         [&](const RoleMeasures& head) { return role_of(head, bounds, 0).kind != Role::Kind::mixed; });
  }
  CHECK(named <= 15);  // 5 %
  // The bound is not so high that nothing is above: of 300 layers some are expected at about 2.5 %.
  for (std::size_t k = 0; k < bounds.needed.size(); ++k) {
    CAPTURE(claim_key(static_cast<int>(k)));
    CHECK((std::isnan(bounds.needed[k]) || bounds.needed[k] >= bounds.median[k]));
    CHECK((std::isnan(bounds.needed[k]) || bounds.needed[k] <= 1));
  }
}

TEST_CASE("role bounds: the same for every number of threads, and stopped when asked", "[core][analysis][roles]") {
  const Measured measured(8);
  ThreadPool pool(3);
  const NameBounds once = name_bounds(measured.sentences, {2, 1, 0.5f});
  const NameBounds again = name_bounds(measured.sentences, {2, 1, 0.5f}, &pool);
  CHECK(once.height == again.height);
  CHECK(once.middle[kOffsetClaim] == again.middle[kOffsetClaim]);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(name_bounds(measured.sentences, {2, 1, 0.5f}, nullptr, stop.get_token()), Stopped);
}

TEST_CASE("role bounds: large layers are drawn less often, too large ones not at all", "[core][analysis][roles]") {
  const Measured measured(8);
  CHECK(layers_to_draw(measured.sentences, {2, 2, 1}) == kMostLayers);
  SentenceTargets none;
  const auto of_size = [&](Index n, Index d_model, Index heads) {
    return layers_to_draw({{share(Mat<float>(Mat<float>::Zero(n, d_model))), &none}}, {heads, heads, 1});
  };
  CHECK(of_size(400, 1024, 16) == kLeastLayers);
  CHECK(of_size(1024, 1024, 128) == 0);
  CHECK(name_bounds({{share(Mat<float>(Mat<float>::Zero(1024, 1024))), &none}}, {128, 128, 1}).layers == 0);
}

TEST_CASE("role bounds: without a difference between heads nothing is above chance", "[core][analysis][roles]") {
  SentenceTargets targets = sentence_targets(kSentences[0], {}, nullptr, {});
  const std::vector<BaselineSentence> sentences{{share(Mat<float>(Mat<float>::Zero(8, 8))), &targets}};
  const NameBounds bounds = name_bounds(sentences, {4, 4, 1});
  LayerInput<float> in;
  in.X = sentences[0].X;
  in.heads = 4;
  in.weights = random_weights(8, {4, 4, 1}, 3);
  const LayerTrace<float> trace = forward<float>(in);
  for (int h = 0; h < 4; ++h) CHECK(role_of(finish(head_sums(trace, h, targets)), bounds, 0).kind == Role::Kind::mixed);
}

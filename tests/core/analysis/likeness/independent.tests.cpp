// Independent heads of the same entropies: what likeness is read beside.
#include "core/analysis/likeness/independent.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/likeness/diversity.h"
#include "core/analysis/likeness/likeness.h"
#include "core/linalg/random.h"
#include "core/linalg/same_bits.h"
#include "core/ops/softmax.h"

using namespace hydra;

namespace {

// Heads whose patterns are softmax of scores drawn one by one: nothing in common. mixed: the part of the scores that
// all heads share.
LayerTrace<float> drawn(std::uint64_t seed, Index heads, Index n, double size, double mixed = 0,
                        Mask::Kind mask = Mask::Kind::none) {
  Random random(seed);
  const auto scores = [&] {
    Mat<float> S(n, n);
    for (Index k = 0; k < S.size(); ++k) S.data()[k] = static_cast<float>(size * random.normal());
    return S;
  };
  LayerTrace<float> layer;
  layer.input.heads = heads;
  layer.input.mask.kind = mask;
  layer.input.X = share(Mat<float>(Mat<float>::Zero(n, heads)));
  const Mat<float> common = scores();
  for (Index h = 0; h < heads; ++h) {
    Mat<float> S = static_cast<float>(mixed) * common + static_cast<float>(std::sqrt(1 - mixed * mixed)) * scores();
    apply_mask<float>(layer.input.mask, 0, S);
    Mat<float> A(n, n);
    softmax::forward<float>(S, A);
    layer.heads.push_back({});
    layer.heads.back().attention = share(std::move(A));
  }
  return layer;
}

double rank_of(const LayerTrace<float>& layer) {
  LikenessMatrices likeness;
  likeness.set({layer});
  return effective_heads(likeness.pattern_gram());
}

}  // namespace

TEST_CASE("spread: worked by hand", "[core][analysis][spread]") {
  const Spread even = spread_of({4, 1, 2, 9});
  CHECK(even.least == 1);
  CHECK(even.median == 3);
  CHECK(even.mean == 4);
  CHECK(even.most == 9);
  CHECK(spread_of({3, NAN, 1, INFINITY, 2}).median == 2);
  CHECK(spread_of({3, NAN, 1, INFINITY, 2}).count == 3);
  CHECK(std::isnan(spread_of({}).mean));
}

TEST_CASE("independent heads: flat heads that share nothing reach no more than they have",
          "[core][analysis][independent]") {
  // Over hundreds of layers the mean of what independent heads have is what they are expected to have; as sharp and as
  // flat as may be.
  for (const double size : {0.1, 1.0, 4.0}) {
    double own = 0, expected = 0, cosine = 0, expected_cosine = 0;
    constexpr int layers = 100;
    for (int seed = 0; seed < layers; ++seed) {
      const LayerTrace<float> layer = drawn(static_cast<std::uint64_t>(seed), 8, 12, size);
      const IndependentHeads independent = independent_heads({layer}, true);
      LikenessMatrices likeness;
      likeness.set({layer});
      own += rank_of(layer) / layers;
      cosine += mean_pairwise(likeness.matrix(Likeness::cosine)) / layers;
      expected += independent.effective_heads.mean / layers;
      expected_cosine += independent.mean_cosine.mean / layers;
      CHECK(independent.draws == 16);
      CHECK(independent.effective_heads.least <= independent.effective_heads.mean);
      CHECK(independent.mean_js_bits.mean >= 0);
    }
    CAPTURE(size, own, expected);
    CHECK(own == Approx(expected).epsilon(0.01));
    CHECK(cosine == Approx(expected_cosine).epsilon(0.03));  // the layers' own, less even
    if (size < 1) CHECK(own < 2);                            // flat: few in effect, and independent all the same
    if (size > 1) CHECK(own > 6);
  }
}

TEST_CASE("independent heads: the mean cosine is what can be worked out for it", "[core][analysis][independent]") {
  // A shuffled row of m keys gives any other 1 / m on average, so <a_i, a_g> is the sum of that over rows.
  for (const Mask::Kind mask : {Mask::Kind::none, Mask::Kind::causal}) {
    double drawn_mean = 0, expected = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const LayerTrace<float> layer = drawn(seed, 6, 10, 2, 0.5, mask);
      drawn_mean += independent_heads({layer}, false).mean_cosine.mean / 100;
      double product = 0;
      for (Index row = 0; row < 10; ++row)
        product += 1.0 / static_cast<double>(mask == Mask::Kind::none ? 10 : row + 1);
      const auto norm = [&](std::size_t h) { return layer.heads[h].attention->cast<double>().norm(); };
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t g = 0; g < i; ++g) expected += product / (norm(i) * norm(g)) / 15 / 100;
    }
    CHECK(drawn_mean == Approx(expected).epsilon(0.01));  // all layers are shuffled by the same seeds
  }
}

TEST_CASE("independent heads: heads with something in common fall below", "[core][analysis][independent]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const LayerTrace<float> layer = drawn(seed, 8, 12, 2, 0.8);
    CHECK(rank_of(layer) < independent_heads({layer}, false).effective_heads.least);
  }
}

TEST_CASE("independent heads: the mask is kept, and rows without weight", "[core][analysis][independent]") {
  // Under a causal mask the first row is 1 for every head: with two tokens nothing else can be told apart but the
  // second.
  const LayerTrace<float> layer = drawn(3, 4, 2, 1, 0, Mask::Kind::causal);
  const IndependentHeads independent = independent_heads({layer}, true);
  CHECK(independent.mean_cosine.least > 0.5);
  LayerTrace<float> empty = drawn(3, 2, 3, 1);
  for (HeadTrace<float>& head : empty.heads) head.attention = share(Mat<float>(Mat<float>::Zero(3, 3)));
  CHECK(independent_heads({empty}, true).effective_heads.mean == 0);
  CHECK(independent_heads({drawn(1, 1, 3, 1)}, true).draws == 0);
  CHECK(std::isnan(independent_heads({drawn(1, 1, 3, 1)}, true).mean_cosine.mean));
}

TEST_CASE("independent heads: kept while the patterns are the same, the same for any number of threads",
          "[core][analysis][independent]") {
  ThreadPool pool(3);
  IndependentMeasures measures(&pool);
  const LayerTrace<float> layer = drawn(5, 6, 20, 1), other = drawn(6, 6, 20, 1);
  const double first = measures.of({layer}, true).effective_heads.mean;
  CHECK(first == independent_heads({layer}, true).effective_heads.mean);
  CHECK(&measures.of({layer}, false) == &measures.of({layer}, true));
  CHECK_FALSE(std::isnan(measures.of({layer}, false).mean_js_bits.mean));  // not drawn anew without
  CHECK(measures.of({other}, false).effective_heads.mean != first);
  CHECK(std::isnan(measures.of({other}, false).mean_js_bits.mean));
  CHECK_FALSE(std::isnan(measures.of({other}, true).mean_js_bits.mean));
}

#include "core/analysis/weighted.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/evaluate.h"
#include "core/linalg/random.h"

using namespace hydra;

namespace {

RowVec<float> random_row(Index size, std::uint64_t seed) {
  Random random(seed);
  RowVec<float> row(size);
  for (float& x : row) x = static_cast<float>(random.uniform(-1, 1));
  return row;
}

std::shared_ptr<const Trace> example(Mask mask) {
  Document document = default_document();
  document.layers[0].mask = mask;
  document.layers[0].weights.b_V = share(random_row(document.d_model, 3));
  return evaluate(document);
}

}  // namespace

TEST_CASE("weighted: a_ij ||v_j W_O^i|| equals the direct loops, value bias included", "[core][weighted]") {
  const auto trace = example(Mask{Mask::Kind::causal, {}});
  const LayerTrace<float>& layer = trace->layers[0];
  const Index n = layer.input.n(), d_model = layer.input.d_model(), d_k = layer.input.d_k();
  for (int h = 0; h < 8; ++h) {
    const HeadTrace<float>& head = layer.heads[static_cast<std::size_t>(h)];
    const Mat<float> weighted = value_weighted_attention(layer, h);
    REQUIRE(weighted.rows() == n);
    REQUIRE(weighted.cols() == n);
    for (Index j = 0; j < n; ++j) {
      double squares = 0;
      for (Index c = 0; c < d_model; ++c) {
        double entry = 0;  // of v_j W_O^i, with v_j from the input itself
        for (Index k = 0; k < d_k; ++k) {
          double v = (*layer.input.weights.b_V)(0, h * d_k + k);
          for (Index m = 0; m < d_model; ++m)
            v += double((*layer.input.X)(j, m)) * double((*layer.input.weights.W_V)(m, h * d_k + k));
          entry += v * double((*layer.input.weights.W_O)(h * d_k + k, c));
        }
        squares += entry * entry;
      }
      for (Index i = 0; i < n; ++i)
        REQUIRE(weighted(i, j) ==
                Approx(double((*head.attention)(i, j)) * std::sqrt(squares)).epsilon(1e-5).margin(1e-7));
    }
  }
}

TEST_CASE("weighted: a masked pair carries nothing", "[core][weighted]") {
  const auto trace = example(Mask{Mask::Kind::causal, {}});
  const Mat<float> weighted = value_weighted_attention(trace->layers[0], 2);
  for (Index i = 0; i < weighted.rows(); ++i)
    for (Index j = i + 1; j < weighted.cols(); ++j) REQUIRE(weighted(i, j) == 0);
}

TEST_CASE("weighted: the mean over chosen heads equals the direct loop, rows sum to one", "[core][weighted]") {
  const auto trace = example(Mask{});
  const LayerTrace<float>& layer = trace->layers[0];
  const std::vector<int> chosen = {1, 4, 6};
  const Mat<float> mean = mean_attention(layer, chosen);
  for (Index i = 0; i < mean.rows(); ++i) {
    CHECK(mean.row(i).sum() == Approx(1).epsilon(1e-5));
    for (Index j = 0; j < mean.cols(); ++j) {
      double sum = 0;
      for (const int h : chosen) sum += (*layer.heads[static_cast<std::size_t>(h)].attention)(i, j);
      REQUIRE(mean(i, j) == Approx(sum / 3).epsilon(1e-5));
    }
  }
  CHECK(mean_attention(layer, {5}) == *layer.heads[5].attention);
}

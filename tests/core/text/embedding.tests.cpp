#include "core/text/embedding.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hydra;

TEST_CASE("embedding: the same word has the same vector in every sentence", "[core][embedding]") {
  const Mat<float> a = hashed_embedding({"the", "cat", "the"}, 64, 1), b = hashed_embedding({"cat"}, 64, 1);
  CHECK(a.row(0) == a.row(2));
  CHECK(a.row(1) == b.row(0));
  CHECK(a.row(0) != a.row(1));
  CHECK(hashed_embedding({"cat"}, 64, 2).row(0) != b.row(0));
  CHECK(hashed_embedding({"Cat"}, 64, 1).row(0) != b.row(0));
}

TEST_CASE("embedding: a wider model starts with the same numbers", "[core][embedding]") {
  CHECK(hashed_embedding({"cat"}, 128, 1).leftCols(64) == hashed_embedding({"cat"}, 64, 1));
}

TEST_CASE("embedding: entries have mean 0 and variance 1", "[core][embedding]") {
  std::vector<std::string> words;
  for (int k = 0; k < 500; ++k) words.push_back("word" + std::to_string(k));
  const Mat<double> E = hashed_embedding(words, 256, 3).cast<double>();
  const double count = static_cast<double>(E.size());
  CHECK(std::abs(E.mean()) < 5 / std::sqrt(count));  // five standard errors
  CHECK(std::abs(E.squaredNorm() / count - 1) < 5 * std::sqrt(2 / count));
}

TEST_CASE("embedding: known numbers, the same on every machine", "[core][embedding]") {
  // SplitMix64 from FNV-1a of the word mixed with the seed; the sum of twelve uniforms less six. Worked out in Python.
  const Mat<float> E = hashed_embedding({"The", "street"}, 2, 1);
  CHECK(E(0, 0) == 0.431820631f);
  CHECK(E(0, 1) == -0.349047363f);
  CHECK(E(1, 0) == -0.0390175804f);
  CHECK(E(1, 1) == 1.02694082f);
}

TEST_CASE("positions: sine and cosine pairs", "[core][embedding]") {
  const Mat<float> P = sinusoidal_positions(4, 6);
  for (Index i = 0; i < 4; ++i) {
    for (Index k = 0; k < 3; ++k) {
      const double angle = static_cast<double>(i) / std::pow(10000.0, 2.0 * static_cast<double>(k) / 6.0);
      CHECK(P(i, 2 * k) == Approx(std::sin(angle)).margin(1e-7));
      CHECK(P(i, 2 * k + 1) == Approx(std::cos(angle)).margin(1e-7));
    }
  }
  CHECK(P(0, 0) == 0);
  CHECK(P(0, 1) == 1);
  CHECK(sinusoidal_positions(2, 1).cols() == 1);
  CHECK(sinusoidal_positions(3, 5)(2, 4) == Approx(std::sin(2 / std::pow(10000.0, 0.8))));
}

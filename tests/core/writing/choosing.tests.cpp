#include "core/writing/choosing.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "core/error.h"

using namespace hydra;

namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Mat<float> row(std::initializer_list<float> logits) {
  Mat<float> made(1, static_cast<Index>(logits.size()));
  std::copy(logits.begin(), logits.end(), made.data());
  return made;
}

ChosenWord chosen(const Choosing& choosing, const Mat<float>& logits, std::uint64_t seed = 1) {
  Chooser chooser(choosing, seed, logits.cols());
  ChosenWord word;
  REQUIRE(chooser.choose(logits, word));
  return word;
}

// How often each word is drawn of so many times.
std::map<Index, int> counts(const Choosing& choosing, const Mat<float>& logits, int times) {
  Chooser chooser(choosing, 5, logits.cols());
  std::map<Index, int> drawn;
  for (int k = 0; k < times; ++k) {
    ChosenWord word;
    REQUIRE(chooser.choose(logits, word));
    ++drawn[word.chosen.word];
  }
  return drawn;
}

// Logits of these probabilities.
Mat<float> of_probabilities(std::initializer_list<double> probabilities) {
  Mat<float> logits(1, static_cast<Index>(probabilities.size()));
  Index k = 0;
  for (const double p : probabilities) logits(0, k++) = static_cast<float>(std::log(p) + 3);
  return logits;
}

}  // namespace

TEST_CASE("choosing: a temperature of 0 takes the likeliest word, of several the first", "[core][writing]") {
  const ChosenWord word = chosen({.temperature = 0}, of_probabilities({0.1, 0.4, 0.1, 0.4}));
  CHECK(word.chosen.word == 1);
  CHECK(word.chosen.probability == Approx(0.4));
  CHECK(word.chosen.drawn == 1);
  REQUIRE(word.strongest.size() == 4);
  const Index order[] = {1, 3, 0, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(word.strongest[k].word == order[k]);
    CHECK(word.strongest[k].probability == Approx(k < 2 ? 0.4 : 0.1));
    CHECK(word.strongest[k].drawn == (k == 0 ? 1 : 0));
  }
}

TEST_CASE("choosing: words are drawn as often as their probabilities say, at the temperature", "[core][writing]") {
  const Mat<float> logits = of_probabilities({0.1, 0.2, 0.3, 0.4});
  const auto near = [](int count, double share) {  // five standard deviations of 20,000 draws
    CHECK(std::abs(count - 20000 * share) < 5 * std::sqrt(20000 * share * (1 - share)));
  };
  std::map<Index, int> drawn = counts({}, logits, 20000);
  for (Index k = 0; k < 4; ++k) near(drawn[k], 0.1 * static_cast<double>(k + 1));
  // At 0.5 they are in the ratio of their squares: 1, 4, 9 and 16 of 30.
  drawn = counts({.temperature = 0.5}, logits, 20000);
  for (Index k = 0; k < 4; ++k) near(drawn[k], static_cast<double>((k + 1) * (k + 1)) / 30);
  const ChosenWord word = chosen({.temperature = 0.5}, logits);
  CHECK(word.strongest.front().word == 3);
  CHECK(word.strongest.front().probability == Approx(0.4));
  CHECK(word.strongest.front().drawn == Approx(16.0 / 30));
}

TEST_CASE("choosing: among some of the likeliest words, by number and by share", "[core][writing]") {
  const Mat<float> logits = of_probabilities({0.1, 0.3, 0.05, 0.3, 0.25});
  std::map<Index, int> drawn = counts({.top_k = 2}, logits, 2000);
  CHECK(drawn.size() == 2);
  CHECK(drawn.contains(1));
  CHECK(drawn.contains(3));
  drawn = counts({.top_k = 1}, logits, 100);
  CHECK(drawn == std::map<Index, int>{{1, 100}});
  // 0.3 + 0.3 are less than 0.61, with 0.25 they are not.
  drawn = counts({.top_p = 0.61}, logits, 2000);
  CHECK(drawn.size() == 3);
  CHECK(drawn.contains(4));
  CHECK(counts({.top_p = 0.59}, logits, 2000).size() == 2);
  CHECK(counts({.top_p = 1e-6}, logits, 100) == std::map<Index, int>{{1, 100}});
  const ChosenWord word = chosen({.top_p = 0.61}, logits);
  CHECK(word.strongest[0].drawn == Approx(0.3 / 0.85));
  CHECK(word.strongest[2].drawn == Approx(0.25 / 0.85));
  CHECK(word.strongest[3].word == 0);
  CHECK(word.strongest[3].probability == Approx(0.1));
  CHECK(word.strongest[3].drawn == 0);
}

TEST_CASE("choosing: the same seed draws the same words, another one others", "[core][writing]") {
  Mat<float> logits(1, 1000);
  for (Index k = 0; k < 1000; ++k) logits(0, k) = static_cast<float>(k % 7);
  const auto drawn = [&](std::uint64_t seed) {
    Chooser chooser({}, seed, 1000);
    std::vector<Index> words;
    ChosenWord word;
    for (int k = 0; k < 50; ++k) {
      REQUIRE(chooser.choose(logits, word));
      words.push_back(word.chosen.word);
    }
    return words;
  };
  CHECK(drawn(3) == drawn(3));
  CHECK(drawn(3) != drawn(4));
  // By the definition: the first word up to which the probabilities are more than the first number of the seed.
  const double at = Random(3).uniform();
  double sum = 0, total = 0;
  Index first = 0;
  for (Index k = 0; k < 1000; ++k) total += std::exp(static_cast<double>(k % 7));
  while ((sum += std::exp(static_cast<double>(first % 7)) / total) <= at) ++first;
  CHECK(drawn(3).front() == first);
}

TEST_CASE("choosing: what is no number is never chosen, and an infinite logit is certain", "[core][writing]") {
  for (const double temperature : {0.0, 1.0, 2.0}) {
    CAPTURE(temperature);
    CHECK(counts({.temperature = temperature}, row({kNan, kNone, 1, kNan}), 50) == std::map<Index, int>{{2, 50}});
    const ChosenWord word = chosen({.temperature = temperature}, row({kNan, kNone, 1, kNan}));
    CHECK(word.chosen == LikelyWord{2, 1, 1});
    CHECK(word.strongest.size() == 1);
    CHECK(counts({.temperature = temperature}, row({3e38f, -kNone, 1}), 50) == std::map<Index, int>{{1, 50}});
    CHECK(counts({.temperature = temperature}, row({3e38f, -3e38f}), 50) == std::map<Index, int>{{0, 50}});
    for (const Mat<float>& nothing : {row({kNan, kNan}), row({kNone}), row({kNone, kNan})}) {
      Chooser chooser({.temperature = temperature}, 1, nothing.cols());
      ChosenWord none;
      CHECK_FALSE(chooser.choose(nothing, none));
    }
  }
}

TEST_CASE("choosing: the strongest are as many as are shown, in their order", "[core][writing]") {
  Mat<float> logits(1, 40);
  for (Index k = 0; k < 40; ++k) logits(0, k) = static_cast<float>((k * 7) % 40);
  const ChosenWord word = chosen({}, logits);
  REQUIRE(std::ssize(word.strongest) == kShownWords);
  for (Index k = 0; k < kShownWords; ++k)
    CHECK(logits(0, word.strongest[static_cast<std::size_t>(k)].word) == static_cast<float>(39 - k));
}

TEST_CASE("choosing: what cannot be is refused", "[core][writing]") {
  CHECK_NOTHROW(check_choosing({}));
  CHECK_THROWS_AS(check_choosing({.temperature = -0.1}), InputError);
  CHECK_THROWS_AS(check_choosing({.temperature = static_cast<double>(kNan)}), InputError);
  CHECK_THROWS_AS(check_choosing({.top_k = -1}), InputError);
  CHECK_THROWS_AS(check_choosing({.top_p = 0}), InputError);
  CHECK_THROWS_AS(check_choosing({.top_p = 1.5}), InputError);
}

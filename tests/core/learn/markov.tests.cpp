#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/support/faults.h"
#include "tests/support/models/tasks.h"

using namespace hydra;
using namespace hydra::learn;
using namespace hydra::test;
using test::fault_at;

namespace {
// Of a chain of k states with rows from a flat Dirichlet: the chance of a whole sequence of states, and what the two
// ways to count lose on it, summed over the sequence. Rows are integrated out: (n_i + k - 1)! below, n_i1! n_i2! ...
// above.
struct Enumerated {
  double single = 0, pair = 0, total = 0, single_right = 0, pair_right = 0;
};
Enumerated enumerate(Index k, Index places) {
  Enumerated mean;
  const auto states = static_cast<std::size_t>(k), n = static_cast<std::size_t>(places) + 1;
  std::vector<std::size_t> chain(n, 0);
  const auto factorial = [](double x) { return std::tgamma(x + 1); };
  for (bool more = true; more;) {
    std::vector<std::vector<double>> pairs(states, std::vector<double>(states, 0));
    std::vector<double> seen(states, 0);
    double single = 0, pair = 0, single_right = 0, pair_right = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const std::size_t now = chain[i], next = chain[i + 1];
      double followed = 0;
      for (const double count : pairs[now]) followed += count;
      seen[now] += 1;
      single -= std::log((seen[next] + 1) / static_cast<double>(i + 1 + states));
      pair -= std::log((pairs[now][next] + 1) / (followed + static_cast<double>(states)));
      single_right += std::max_element(seen.begin(), seen.end()) - seen.begin() == static_cast<std::ptrdiff_t>(next);
      pair_right += std::max_element(pairs[now].begin(), pairs[now].end()) - pairs[now].begin() ==
                    static_cast<std::ptrdiff_t>(next);
      pairs[now][next] += 1;
    }
    double chance = 1 / static_cast<double>(states);
    for (const auto& row : pairs) {
      double followed = 0;
      for (const double count : row) chance *= factorial(count), followed += count;
      chance *= factorial(static_cast<double>(states) - 1) / factorial(followed + static_cast<double>(states) - 1);
    }
    mean.total += chance;
    mean.single += chance * single, mean.pair += chance * pair;
    mean.single_right += chance * single_right, mean.pair_right += chance * pair_right;
    std::size_t digit = 0;  // the next sequence
    while (digit < n && ++chain[digit] == states) chain[digit++] = 0;
    more = digit < n;
  }
  const auto places_d = static_cast<double>(places);
  mean.single /= places_d, mean.pair /= places_d, mean.single_right /= places_d, mean.pair_right /= places_d;
  return mean;
}
}  // namespace

TEST_CASE("markov: baselines are those of all short chains, each by its chance", "[core][learn]") {
  struct Sizes {
    Index states, places;
  };
  for (const auto& [states, places] : {Sizes{2, 2}, {2, 10}, {3, 7}, {5, 4}}) {
    CAPTURE(states, places);
    const Enumerated exact = enumerate(states, places);
    REQUIRE(exact.total == Approx(1));
    const auto task = markov_task(states, places);
    const TaskInfo& info = task->info();
    CHECK(baseline_of(info, "guessing").loss == Approx(std::log(static_cast<double>(states))));
    // Tried on 10000 chains: the standard error is below .004.
    CHECK(baseline_of(info, "single frequencies").loss == Approx(exact.single).margin(0.015));
    CHECK(baseline_of(info, "pair frequencies").loss == Approx(exact.pair).margin(0.015));
    CHECK(baseline_of(info, "single frequencies").accuracy == Approx(exact.single_right).margin(0.015));
    CHECK(baseline_of(info, "pair frequencies").accuracy == Approx(exact.pair_right).margin(0.015));
  }
}

TEST_CASE("markov: three lines, clearly apart, and none below what the rules themselves leave open", "[core][learn]") {
  const TaskInfo info = make_task("markov")->info();
  CHECK(info.causal);
  CHECK(info.recipe.layers == 2);
  const double guess = baseline_of(info, "guessing").loss, single = baseline_of(info, "single frequencies").loss,
               pair = baseline_of(info, "pair frequencies").loss;
  CHECK(guess - single > 0.05);
  CHECK(single - pair > 0.05);
  // Who knows the rules loses the mean entropy of a row, 1/2 + 1/3 for three states.
  CHECK(pair > 1.0 / 2 + 1.0 / 3);
}

TEST_CASE("markov: the answer is the next state, states are balanced, and gold is what followed earlier copies",
          "[core][learn]") {
  const auto task = make_task("markov");
  Drawn drawn(*task);
  std::vector<double> first(3, 0), stays(2, 0);
  for (Index seed = 0; seed < kManySequences; ++seed) {
    drawn.draw(static_cast<std::uint64_t>(seed));
    REQUIRE(drawn.length() == 64);
    for (Index i = 0; i + 1 < 64; ++i) REQUIRE(drawn.target(i) == drawn.word(i + 1));
    first[static_cast<std::size_t>(drawn.word(0))] += 1;
    // The second state is any, all alike, whatever the first: the mean row is uniform.
    stays[drawn.word(1) == drawn.word(0)] += 1;
    if (seed >= 300) continue;
    for (Index i = 0; i < 64; ++i) {
      REQUIRE(drawn.gold(i, 0) == (i == 0 ? 0 : std::uint64_t{1} << (i - 1)));
      std::uint64_t after_copies = 0;
      for (Index j = 1; j <= i; ++j)
        if (drawn.word(j - 1) == drawn.word(i)) after_copies |= std::uint64_t{1} << j;
      REQUIRE(drawn.gold(i, 1) == after_copies);
    }
  }
  CHECK(surprise_of_uniform(first) < 5);
  const double all = stays[0] + stays[1];
  CHECK(surprise(stays, {all * 2 / 3, all / 3}) < 5);
}

TEST_CASE("markov: each sequence has rules of its own", "[core][learn]") {
  // How often sun follows sun, by sequence: its variance is that of a uniform row (1/18 for three states) and of
  // counting, far above what one rule for all would give.
  const auto task = make_task("markov");
  Drawn drawn(*task);
  double sum = 0, squares = 0, count = 0;
  for (Index seed = 0; seed < kManySequences; ++seed) {
    drawn.draw(static_cast<std::uint64_t>(seed));
    double suns = 0, again = 0;
    for (Index i = 0; i < 64; ++i)
      if (drawn.word(i) == 0) suns += 1, again += drawn.target(i) == 0;
    if (suns < 20) continue;
    sum += again / suns, squares += again / suns * again / suns, count += 1;
  }
  const double variance = squares / count - sum / count * sum / count;
  CHECK(variance > 0.04);
  CHECK(variance < 0.09);
}

TEST_CASE("markov: sizes out of reach are refused", "[core][learn]") {
  CHECK_THROWS_WITH(markov_task(1, 64), fault_at("1 states", "2 to 8"));
  CHECK_THROWS_WITH(markov_task(9, 64), fault_at("9 states", "2 to 8"));
  CHECK_THROWS_WITH(markov_task(3, 65), fault_at("65 places", "2 to 64"));
  CHECK_THROWS_AS(markov_task(3, 1), InputError);
  CHECK(markov_task(8, 64)->info().words.size() == 8);
}

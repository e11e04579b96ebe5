#include <bit>
#include <catch2/catch.hpp>

#include "tests/support/models/tasks.h"

using namespace hydra;
using namespace hydra::learn;
using namespace hydra::test;

namespace {
// Where the first word comes again: the number of words that are repeated.
Index period_of(const Drawn& drawn) {
  Index period = 1;
  while (drawn.word(period) != drawn.word(0)) ++period;
  return period;
}
}  // namespace

TEST_CASE("induction: a row of different words is repeated, and the next word asked from the second round on",
          "[core][learn]") {
  const auto task = make_task("induction");
  REQUIRE(task->info().words.size() == 24);
  CHECK(task->info().causal);
  Drawn drawn(*task);
  std::vector<double> periods(7, 0), words(24, 0), answers(24, 0);
  for (Index seed = 0; seed < kManySequences; ++seed) {
    drawn.draw(static_cast<std::uint64_t>(seed));
    REQUIRE(drawn.length() == 32);
    const Index period = period_of(drawn);
    REQUIRE((period >= 9 && period <= 15));
    periods[static_cast<std::size_t>(period - 9)] += 1;
    words[static_cast<std::size_t>(drawn.word(0))] += 1;
    answers[static_cast<std::size_t>(drawn.target(31))] += 1;
    for (Index i = 0; i < 32; ++i) {
      for (Index j = 0; j < i; ++j) REQUIRE((drawn.word(i) == drawn.word(j)) == ((i - j) % period == 0));
      REQUIRE(drawn.target(i) == (i < period ? kNone : i < 31 ? drawn.word(i + 1) : drawn.word(32 % period)));
    }
  }
  CHECK(surprise_of_uniform(periods) < 5);
  CHECK(surprise_of_uniform(words) < 5);
  CHECK(surprise_of_uniform(answers) < 5);
}

TEST_CASE("induction: gold is the word before, and what followed every earlier copy", "[core][learn]") {
  const auto task = make_task("induction");
  Drawn drawn(*task);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    drawn.draw(seed);
    for (Index i = 0; i < 32; ++i) {
      CHECK(drawn.gold(i, 0) == (i == 0 ? 0 : std::uint64_t{1} << (i - 1)));
      std::uint64_t after_copies = 0;
      for (Index j = 1; j <= i; ++j)
        if (drawn.word(j - 1) == drawn.word(i)) after_copies |= std::uint64_t{1} << j;
      REQUIRE(drawn.gold(i, 1) == after_copies);
      REQUIRE((after_copies != 0) == (drawn.target(i) != kNone));
      // Each of these places holds the answer.
      for (Index j = 0; j < 32; ++j)
        if (after_copies >> j & 1) REQUIRE(drawn.word(j) == drawn.target(i));
    }
  }
}

TEST_CASE("induction: cheats reach what is said of them, and no more", "[core][learn]") {
  const auto task = make_task("induction");
  Drawn drawn(*task);
  double asked = 0, any = 0, any_loss = 0, counting = 0, counting_loss = 0;
  std::vector<bool> tried(16, false);  // one row of each number of words: all such rows are alike to these cheats
  for (Index seed = 0; seed < kManySequences; ++seed) {
    drawn.draw(static_cast<std::uint64_t>(seed));
    const auto period = static_cast<std::size_t>(period_of(drawn));
    if (tried[period]) continue;
    tried[period] = true;
    std::vector<int> said(24, 0);
    for (Index i = 0; i < 32; ++i) {
      ++said[static_cast<std::size_t>(drawn.word(i))];
      if (drawn.target(i) == kNone) continue;
      int least = 100;
      for (Index w = 0; w < 24; ++w)
        if (const int n = said[static_cast<std::size_t>(w)]; n > 0 && w != drawn.word(i)) least = std::min(least, n);
      double earlier = 0, rarest = 0;
      for (Index w = 0; w < 24; ++w)
        if (const int n = said[static_cast<std::size_t>(w)]; n > 0 && w != drawn.word(i)) {
          earlier += 1;
          rarest += n == least;
        }
      // The answer is always among the candidates: one of them drawn is right so often.
      REQUIRE(said[static_cast<std::size_t>(drawn.target(i))] == least);
      asked += 1;
      any += 1 / earlier, any_loss += std::log(earlier);
      counting += 1 / rarest, counting_loss += std::log(rarest);
    }
  }
  CHECK(std::ranges::count(tried, true) == 7);
  CHECK(asked == 140);
  CHECK(baseline_of(task->info(), "any earlier word").accuracy == Approx(any / asked));
  CHECK(baseline_of(task->info(), "any earlier word").loss == Approx(any_loss / asked));
  CHECK(baseline_of(task->info(), "counting").accuracy == Approx(counting / asked));
  CHECK(baseline_of(task->info(), "counting").loss == Approx(counting_loss / asked));
}

TEST_CASE("induction: the recipe is the measured one", "[core][learn]") {
  const Recipe recipe = make_task("induction")->info().recipe;
  CHECK(recipe.layers == 2);
  CHECK(recipe.heads == 2);
  CHECK(recipe.d_model == 48);
  CHECK(recipe.batch == 32);
  CHECK(recipe.optimizer.rate == 0.006);
  CHECK(recipe.optimizer.beta_2 == 0.99);
  CHECK(recipe.optimizer.schedule == Schedule::constant);
  CHECK(recipe.optimizer.warm_up == 50);
  CHECK(recipe.optimizer.clip == 1);
  CHECK((recipe.positions == PositionRecipe{.kind = PositionRecipe::Kind::sinusoid, .base = 10, .scale = 3}));
}

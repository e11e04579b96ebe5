#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"
#include "tests/support/faults.h"
#include "tests/support/models/tasks.h"

using namespace hydra;
using namespace hydra::learn;
using namespace hydra::test;
using Catch::Contains;
using test::fault_at;

TEST_CASE("students: names differ, each asks for different classmates, whose fruit is the answer", "[core][learn]") {
  struct Sizes {
    Index questions, names, students;
  };
  for (const auto& [m, K, N] : {Sizes{4, 20, 12}, {4, 20, 16}, {2, 16, 12}, {1, 1, 1}, {8, 32, 32}, {3, 5, 5}}) {
    CAPTURE(m, K, N);
    const auto task = students_task(m, K, N);
    CHECK(task->info().words.size() == K + 8 + m * K);
    CHECK_FALSE(task->info().causal);
    Drawn drawn(*task);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      drawn.draw(seed);
      REQUIRE(drawn.length() == N);
      std::set<std::string> names;
      for (Index i = 0; i < N; ++i) REQUIRE(names.insert(drawn.spelled(i, 0)).second);
      for (Index i = 0; i < N; ++i) {
        REQUIRE((drawn.word(i, 0) < K && drawn.word(i, 1) >= K && drawn.word(i, 1) < K + 8));
        std::set<std::string> asked;
        for (Index q = 0; q < m; ++q) {
          // By spelling alone: "2:Ann" stands in slot 2 + 1 and asks for the fruit of whoever is called Ann.
          const std::string ask = drawn.spelled(i, 2 + q), name = ask.substr(2);
          REQUIRE(ask.substr(0, 2) == std::to_string(q + 1) + ":");
          REQUIRE(asked.insert(name).second);
          Index whom = 0;
          while (whom < N && drawn.spelled(whom, 0) != name) ++whom;
          REQUIRE(whom < N);
          REQUIRE(drawn.gold(i, q) == std::uint64_t{1} << whom);
          REQUIRE(drawn.answer(i, q) == drawn.spelled(whom, 1));
        }
      }
    }
  }
}

TEST_CASE("students: names, fruits, answers and the places asked for are balanced", "[core][learn]") {
  const auto task = make_task("students");
  Drawn drawn(*task);
  std::vector<double> names(12 * 20, 0), fruits(8, 0), places(12, 0), pairs(12 * 12, 0), distances(12, 0);
  for (Index seed = 0; seed < kManySequences; ++seed) {
    drawn.draw(static_cast<std::uint64_t>(seed));
    const auto q = seed % 4, i = seed / 4 % 12;
    names[static_cast<std::size_t>(i * 20 + drawn.word(i, 0))] += 1;
    const auto whom = std::countr_zero(drawn.gold(i, q));
    fruits[static_cast<std::size_t>(drawn.target(i, q))] += 1;
    places[static_cast<std::size_t>(whom)] += 1;
    distances[static_cast<std::size_t>((whom - i + 12) % 12)] += 1;
    pairs[static_cast<std::size_t>(i * 12 + whom)] += 1;
  }
  CHECK(surprise_of_uniform(names) < 5);
  CHECK(surprise_of_uniform(fruits) < 5);
  CHECK(surprise_of_uniform(places) < 5);
  CHECK(surprise_of_uniform(distances) < 5);
  CHECK(surprise_of_uniform(pairs) < 5);
}

TEST_CASE("students: cheats reach what is said of them", "[core][learn]") {
  for (const char* key : {"students", "crowd", "collapse"}) {
    INFO(key);
    const auto task = make_task(key);
    const TaskInfo& info = task->info();
    const Index n = info.shape.length, m = info.shape.questions;
    Drawn drawn(*task);
    double asked = 0, own = 0, counted = 0, entropy = 0, half = 0;
    for (Index seed = 0; seed < kManySequences; ++seed) {
      drawn.draw(static_cast<std::uint64_t>(seed));
      const auto fruit = [&](Index i) { return drawn.word(i, 1) - info.words.find("apple"); };
      std::vector<double> fruits(8, 0);
      for (Index i = 0; i < n; ++i) fruits[static_cast<std::size_t>(fruit(i))] += 1;
      for (Index i = 0; i < n; ++i) {
        std::vector<double> others = fruits;
        others[static_cast<std::size_t>(fruit(i))] -= 1;
        const auto most = std::max_element(others.begin(), others.end()) - others.begin();
        for (Index q = 0; q < m; ++q) {
          const Index answer = drawn.target(i, q);
          const bool self = drawn.spelled(i, 2 + q).substr(2) == drawn.spelled(i, 0);
          asked += 1;
          own += fruit(i) == answer;
          half += q < m / 2 || fruit(i) == answer;
          counted += self || most == answer;
          if (!self) entropy -= std::log(others[static_cast<std::size_t>(answer)] / static_cast<double>(n - 1));
        }
      }
    }
    const std::string name = std::to_string(m / 2) + " of " + std::to_string(m) + " questions";
    CHECK(baseline_of(info, "best without looking").accuracy == Approx(own / asked).margin(0.01));
    CHECK(baseline_of(info, "counting").accuracy == Approx(counted / asked).margin(0.01));
    CHECK(baseline_of(info, "counting").loss == Approx(entropy / asked).margin(0.02));
    CHECK(baseline_of(info, name).accuracy == Approx(half / asked).margin(0.01));
  }
  // Three students, by hand: the two others have the same fruit once in eight times.
  const auto three = students_task(1, 3, 3);
  CHECK(baseline_of(three->info(), "counting").accuracy == Approx(1.0 / 3 + 2.0 / 3 * (1.0 / 8 + 7.0 / 8 / 2)));
  CHECK(baseline_of(three->info(), "counting").loss == Approx(2.0 / 3 * 7 / 8 * std::log(2)));
  CHECK(baseline_of(students_task(1, 1, 1)->info(), "counting").accuracy == 1);
}

TEST_CASE("students: recipes are the measured ones, asks begin smaller, sizes out of reach are refused",
          "[core][learn]") {
  const TaskInfo info = make_task("students")->info();
  CHECK(info.recipe.layers == 1);
  CHECK(info.recipe.heads == 4);
  CHECK(info.recipe.d_model == 32);
  CHECK(info.recipe.batch == 48);
  CHECK(info.recipe.steps == 1500);
  CHECK(info.recipe.optimizer.rate == 0.01);
  CHECK(info.recipe.optimizer.schedule == Schedule::cosine);
  CHECK(info.recipe.positions.kind == PositionRecipe::Kind::none);
  CHECK(info.word_scale[0] == 1);
  CHECK(info.word_scale[27] == 1);
  CHECK(info.word_scale[28] == 0.5);
  CHECK(info.word_scale.back() == 0.5);
  CHECK(make_task("crowd")->info().recipe.batch == 32);
  const Recipe collapse = make_task("collapse")->info().recipe;
  CHECK(collapse.heads == 8);
  CHECK(collapse.steps == 600);
  CHECK(make_task("collapse")->info().words.size() == 16 + 8 + 32);

  CHECK_THROWS_WITH(students_task(0, 20, 12), fault_at("0 questions", "1 to 8"));
  CHECK_THROWS_WITH(students_task(4, 33, 12), fault_at("33 names", "4 to 32"));
  CHECK_THROWS_WITH(students_task(4, 20, 21), fault_at("21 students", "4 to 20"));
  CHECK_THROWS_WITH(students_task(4, 20, 3), fault_at("3 students", "4 to 20"));
  CHECK_THROWS_AS(students_task(9, 20, 12), InputError);
}

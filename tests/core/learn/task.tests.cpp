#include "core/learn/task.h"

#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"
#include "core/learn/start.h"
#include "tests/support/faults.h"
#include "tests/support/models/tasks.h"

using namespace hydra;
using namespace hydra::learn;
using namespace hydra::test;
using Catch::Contains;
using test::fault_at;

namespace {
bool same(const Batch& a, const Batch& b, Index k) {
  return std::ranges::equal(a.words(k), b.words(k)) && std::ranges::equal(a.targets(k), b.targets(k)) &&
         std::ranges::equal(a.gold(k), b.gold(k)) && a.length(k) == b.length(k);
}
}  // namespace

TEST_CASE("tasks: each key makes its task, described throughout", "[core][learn]") {
  std::set<std::string> titles;
  for (const std::string_view key : task_keys()) {
    INFO(key);
    const auto task = make_task(key);
    const TaskInfo outline = task->outline();
    const TaskInfo& info = task->info();
    CHECK(outline.words == info.words);
    CHECK(outline.answers == info.answers);
    CHECK(outline.title == info.title);
    CHECK(outline.shape.questions == info.shape.questions);
    CHECK(info.key == key);
    CHECK(titles.insert(info.title).second);
    CHECK(info.page.size() >= 6);
    CHECK(info.page.front().find("# ") != 0);
    CHECK(info.page.back().find("# ") != 0);
    CHECK(std::ssize(info.questions) == info.shape.questions);
    CHECK(std::ssize(info.relations) == info.shape.relations);
    CHECK(info.relation_titles.size() == info.relations.size());
    CHECK(info.relation_how.size() == info.relations.size());
    CHECK(info.relation_layers.size() == info.relations.size());
    for (const Index layer : info.relation_layers) CHECK((layer == kLastLayer || layer < info.recipe.layers));
    CHECK_NOTHROW(check_vocabulary(info.words.words()));
    CHECK_NOTHROW(check_vocabulary(info.answers.words()));
    CHECK((info.word_scale.empty() || std::ssize(info.word_scale) == info.words.size()));
    CHECK((info.recipe.question_weights.empty() || std::ssize(info.recipe.question_weights) == info.shape.questions));
    CHECK(info.recipe.d_model % info.recipe.heads == 0);
    REQUIRE(info.baselines.size() >= 2);
    CHECK(info.baselines.front().name == "guessing");
    CHECK(info.baselines.front().accuracy == Approx(1.0 / static_cast<double>(info.answers.size())));
    for (const Baseline& baseline : info.baselines) {
      CHECK_FALSE(baseline.how.empty());
      CHECK(baseline.accuracy <= 1);
      CHECK((baseline.question >= kNone && baseline.question < info.shape.questions));
      CHECK((baseline.relation >= kNone && baseline.relation < info.shape.relations));
      if (&baseline != &info.baselines.front() && baseline.question == kNone)
        CHECK(baseline.accuracy > info.baselines.front().accuracy);
    }
  }
}

TEST_CASE("tasks: a document names what it is asked, unless that is what comes next", "[core][learn]") {
  for (const std::string_view key : task_keys()) {
    INFO(key);
    const auto task = make_task(key);
    const Document document = starting_document(*task, task->info().recipe, 0);
    const std::vector<std::string>& asked = document.readout.questions.words();
    if (key == "induction" || key == "markov")
      CHECK(asked.empty());
    else
      CHECK(asked == task->info().questions);
  }
  CHECK(starting_document(*students_task(1, 20, 12), students_task(1, 20, 12)->info().recipe, 0)
            .readout.questions.words() == std::vector<std::string>{"question 1"});
}

TEST_CASE("tasks: what there is none of is refused with the keys", "[core][learn]") {
  CHECK_THROWS_AS(make_task("inducton"), InputError);
  CHECK_THROWS_WITH(
      make_task("inducton"),
      fault_at("task “inducton”", "induction, students, crowd, collapse, grammar, pronoun, animal", "text"));
}

TEST_CASE("tasks: a sequence is the same for the same key and another for every other", "[core][learn]") {
  for (const std::string_view key : task_keys()) {
    INFO(key);
    const auto task = make_task(key);
    Batch first(task->info().shape, 4), second(task->info().shape, 4);
    int alike = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      for (Index k = 0; k < 4; ++k) draw(*task, seed, Stream::training, seed, k, first);
      // In another order and over what was there before: nothing is left of it.
      for (Index k = 4; k-- > 0;) draw(*task, seed + 7, Stream::evaluation, 3, k, second);
      for (Index k = 4; k-- > 0;) draw(*task, seed, Stream::training, seed, k, second);
      for (Index k = 0; k < 4; ++k) REQUIRE(same(first, second, k));
      draw(*task, seed + 1, Stream::training, seed, 0, second);
      alike += same(first, second, 0);
      draw(*task, seed, Stream::training, seed + 1, 0, second);
      alike += same(first, second, 0);
      draw(*task, seed, Stream::evaluation, seed, 0, second);
      alike += same(first, second, 0);
      draw(*task, seed, Stream::training, seed, 1, second);
      alike += same(first, second, 0);
    }
    CHECK(alike < 5);  // a short sentence comes twice by chance
  }
}

TEST_CASE("tasks: keys that are neighbours give unrelated numbers", "[core][learn]") {
  std::set<std::uint64_t> seen;
  double bits_apart = 0;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Stream stream : {Stream::training, Stream::evaluation, Stream::noise, Stream::start})
      for (std::uint64_t step = 0; step < 6; ++step)
        for (std::uint64_t sequence = 0; sequence < 6; ++sequence) {
          Random random = random_of(seed, stream, step, sequence), next = random_of(seed, stream, step, sequence + 1);
          const std::uint64_t bits = random.bits();
          CHECK(seen.insert(bits).second);
          bits_apart += std::popcount(bits ^ next.bits());
          ++count;
        }
  CHECK(bits_apart / count == Approx(32).margin(1));
}

TEST_CASE("tasks: lengths are in bounds, nothing stands beyond the end, and gold lies within what may be seen",
          "[core][learn]") {
  for (const std::string_view key : task_keys()) {
    INFO(key);
    const auto task = make_task(key);
    const TaskInfo& info = task->info();
    Drawn drawn(*task);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      drawn.draw(seed);
      REQUIRE((drawn.length() >= 1 && drawn.length() <= info.shape.length));
      REQUIRE(std::ssize(drawn.tokens()) == drawn.length());
      for (Index i = 0; i < info.shape.length; ++i) {
        const bool inside = i < drawn.length();
        for (Index s = 0; s < info.shape.slots; ++s) {
          REQUIRE((drawn.word(i, s) == kNone) == !inside);
          REQUIRE(drawn.word(i, s) < info.words.size());
        }
        for (Index q = 0; q < info.shape.questions; ++q) {
          REQUIRE((drawn.target(i, q) >= kNone && drawn.target(i, q) < info.answers.size()));
          REQUIRE((inside || drawn.target(i, q) == kNone));
        }
        const Index seen = info.causal ? i + 1 : drawn.length();
        for (Index r = 0; r < info.shape.relations; ++r)
          REQUIRE((inside ? drawn.gold(i, r) >> (seen - 1) >> 1 : drawn.gold(i, r)) == 0);
      }
    }
  }
}

TEST_CASE("tasks: words of one place are joined in a token", "[core][learn]") {
  TaskInfo info;
  info.shape = {.length = 3, .slots = 2};
  info.words = Vocabulary({"Ann", "plum", "Ben"});
  CHECK(tokens_of(info, std::vector<std::int32_t>{0, 1, 2, kNone, kNone, kNone}) ==
        std::vector<std::string>{"Ann+plum", "Ben"});
  CHECK(tokens_of(info, {}).empty());
}

// What pages quote of training, measured: a few runs of each against what is kept, all of them where
// HYDRA_KEEP_RESULTS=1 writes it anew. And what pages say of it in words.
#include "core/learn/results.h"

#include <catch2/catch.hpp>
#include <set>
#include <thread>

#include "core/error.h"
#include "core/learn/opened/pruning.h"
#include "core/learn/run.h"
#include "core/learn/start.h"
#include "core/learn/task.h"
#include "tests/core/learn/kept_result.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::learn;
using test::KeptResult;

namespace {

constexpr double kAnswered = 0.9;  // a question: so many of its answers are right

std::string heads_of(Index heads) { return std::to_string(heads) + (heads == 1 ? " head" : " heads"); }

// Runs of a task with a change of its recipe, each trained to its end.
struct ResultRuns {
  std::vector<Scores> scores;
  std::vector<double> splits;  // Run::split_accuracy; NaN where the task tells no answers apart
  template <class Of>
  std::vector<double> each(const Of& of) const {
    std::vector<double> values;
    for (const Scores& score : scores) values.push_back(of(score));
    return values;
  }
  std::vector<double> accuracies() const {
    return each([](const Scores& s) { return s.accuracy; });
  }
};
template <class Change>
ResultRuns trained_results(const std::string& key, Index runs, const Change& change, std::uint64_t first_seed = 0) {
  ThreadPool pool(threads_of_the_machine());
  const auto task = make_task(key);
  Recipe recipe = task->info().recipe;
  change(recipe);
  ResultRuns all;
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(runs); ++seed) {
    Run run(task, starting_document(*task, recipe, seed), recipe, seed);
    while (run.step() < recipe.steps) REQUIRE(run.take_step(&pool).is_finite());
    all.scores.push_back(run.evaluate(&pool));
    all.splits.push_back(run.split_accuracy(&pool, Run::kEvaluated));
  }
  return all;
}

double least_question(const Scores& scores) { return *std::ranges::min_element(scores.by_question); }

double result_mass(const Scores& scores, Index layer, Index heads, Index head, Index relations, Index relation) {
  return scores.masses[static_cast<std::size_t>((layer * heads + head) * relations + relation)];
}

// One layer of students with so many heads, at a rate, over steps.
struct StudentsSetting {
  std::string name;
  Index all, heads;
  double rate = 0.01;
  int steps = 1500;
  Index d_model = 32, layers = 1;
};
void keep_students(KeptResult& kept, const std::string& task, const StudentsSetting& s, Index some) {
  if (s.steps > 1500 && !KeptResult::takes_long_ones()) return;
  const ResultRuns runs = trained_results(task, KeptResult::runs(s.all, std::min(some, s.all)), [&](Recipe& r) {
    r.heads = s.heads, r.optimizer.rate = s.rate, r.steps = s.steps, r.d_model = s.d_model, r.layers = s.layers;
  });
  kept.add(s.name, "accuracy", runs.accuracies(), 0.12);
  if (task != "students" || s.name != "4 heads") return;
  kept.add(s.name, "least answered question", runs.each(least_question), 0.3);
  kept.add(s.name, "question 3", runs.each([](const Scores& scores) { return scores.by_question[2]; }), 0.3);
}

}  // namespace

TEST_CASE("results: collapse", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("collapse",
                  "Two questions, eight heads: the task's recipe, with what each experiment does to the heads",
                  "results: collapse");
  const auto keep = [&](const std::string& setting, Index all, const HeadControls& controls) {
    const ResultRuns runs =
        trained_results("collapse", KeptResult::runs(all, 2), [&](Recipe& r) { r.controls = controls; });
    kept.add(setting, "accuracy", runs.accuracies(), 0.05);
    kept.add(setting, "alike", runs.each([](const Scores& s) { return s.alike.front(); }), 0.1);
  };
  keep("normal", 20, {});
  keep("identical", 20, {.identical = true});
  keep("drophead", 20, {.drop = 0.3, .identical = true});
  keep("noise", 20, {.identical = true, .apart = 0.01});
  keep("repel", 20, {.repel = 0.3});
  keep("repel by 1", 20, {.repel = 1});
  keep("noise, repel", 40, {.repel = 0.3, .identical = true, .apart = 0.01});

  // Seed 0 as it was trained: without six of its heads, and with gates that have a price.
  ThreadPool pool(threads_of_the_machine());
  const auto task = make_task("collapse");
  const Recipe& recipe = task->info().recipe;
  Run run(task, starting_document(*task, recipe, 0), recipe, 0);
  while (run.step() < recipe.steps) run.take_step(&pool);
  const HeadWorth worth = head_worth(run, &pool);
  kept.add("pruned", "accuracy without six heads", {prune_greedily(run, worth, &pool).accuracy[6]}, 0.1);
  const ClosedGates closed = close_gates(task, run.document(), recipe, 0, 0.05, 800, {0, 1, 2, 3, 4, 5, 6, 7}, &pool);
  kept.add("pruned", "open gates",
           {static_cast<double>(std::ranges::count_if(closed.gates, [](double gate) { return gate > 0.5; }))}, 1);
}

TEST_CASE("results: students", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("students", "Students and fruit: the task's recipe with other sizes, rates and steps",
                  "results: students");
  for (const Index heads : {1, 2, 4, 8, 16, 32}) keep_students(kept, "students", {heads_of(heads), 20, heads}, 3);
  keep_students(kept, "students", {"16 heads, rate .03", 5, 16, 0.03}, 2);
  keep_students(kept, "students", {"16 heads, rate .1", 5, 16, 0.1}, 2);
  keep_students(kept, "students", {"16 heads, 6000 steps", 5, 16, 0.01, 6000}, 1);
  for (const int steps : {1500, 6000})
    for (const double rate : {0.001, 0.003, 0.01, 0.03, 0.1})
      keep_students(
          kept, "students",
          {"32 heads, rate " + share_words(rate, rate < 0.01 ? 3 : 2) + ", " + std::to_string(steps) + " steps", 5, 32,
           rate, steps},
          1);
  for (const Index heads : {16, 32, 64})
    keep_students(kept, "students", {heads_of(heads) + ", d_model 64", 5, heads, 0.01, 1500, 64}, 1);
  keep_students(kept, "students", {"4 layers of 1 head", 5, 1, 0.01, 1500, 32, 4}, 1);
  keep_students(kept, "students", {"4 layers of 1 head, d_model 64", 5, 1, 0.01, 1500, 64, 4}, 1);
}

TEST_CASE("results: crowd", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("crowd", "A crowd of students: the task's recipe with other heads and rates", "results: crowd");
  for (const Index heads : {1, 2, 4, 8, 16, 32}) keep_students(kept, "crowd", {heads_of(heads), 20, heads}, 1);
  for (const Index heads : {16, 32}) keep_students(kept, "crowd", {heads_of(heads) + ", rate .03", 5, heads, 0.03}, 1);
}

TEST_CASE("results: grammar", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("grammar", "Grammar: the task's recipe, and one head of it", "results: grammar");
  const ResultRuns runs = trained_results("grammar", KeptResult::runs(40, 4), [](Recipe&) {});
  kept.add("4 heads", "least answered question", runs.each(least_question), 0.05);
  // Each question to a head of its own, so that together they look the most where each should.
  const auto tidy = [](const Scores& scores, bool least) {
    std::array<Index, 4> heads = {0, 1, 2, 3};
    double best = -1, best_least = 0;
    do {
      double sum = 0, low = 1;
      for (Index q = 0; q < 4; ++q) {
        const double mass = result_mass(scores, 0, 4, heads[static_cast<std::size_t>(q)], 4, q);
        sum += mass / 4, low = std::min(low, mass);
      }
      if (sum > best) best = sum, best_least = low;
    } while (std::ranges::next_permutation(heads).found);
    return least ? best_least : best;
  };
  kept.add("4 heads", "on its word, mean", runs.each([&](const Scores& s) { return tidy(s, false); }), 0.1);
  kept.add("4 heads", "on its word, least", runs.each([&](const Scores& s) { return tidy(s, true); }), 0.2);
  for (const Index d_model : {32, 64})
    kept.add("1 head, d_model " + std::to_string(d_model), "accuracy",
             trained_results(
                 "grammar", KeptResult::runs(5, 2), [&](Recipe& r) { r.heads = 1, r.d_model = d_model; }, 100)
                 .accuracies(),
             0.1, 100);
}

TEST_CASE("results: pronoun", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("pronoun", "The king and the uncle: the task's recipe, and one layer of it", "results: pronoun");
  for (const Index layers : {2, 1}) {
    const ResultRuns runs = trained_results("pronoun", KeptResult::runs(10, 2), [&](Recipe& r) { r.layers = layers; });
    kept.add(layers == 1 ? "one layer" : "two layers", "where the adjective decides", runs.splits, 0.2);
  }
}

TEST_CASE("results: induction", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("induction", "Induction: the task's recipe, and one layer of it", "results: induction");
  const ResultRuns two = trained_results("induction", KeptResult::runs(20, 4), [](Recipe&) {});
  kept.add("two layers", "accuracy", two.accuracies(), 0.05);
  // What each layer's better and other head have on the word before, and on what followed last time.
  for (const Index layer : {0, 1})
    for (const bool better : {true, false})
      kept.add("two layers",
               std::string(layer == 0 ? "previous word, " : "what followed, ") + (better ? "one head" : "the other"),
               two.each([&](const Scores& s) {
                 const double one = result_mass(s, layer, 2, 0, 2, layer),
                              other = result_mass(s, layer, 2, 1, 2, layer);
                 return better ? std::max(one, other) : std::min(one, other);
               }),
               better ? 0.1 : 0.5);  // the other head is left to itself: over the seeds it has .04 to .52
  ThreadPool pool(threads_of_the_machine());
  const auto task = make_task("induction");
  Run run(task, starting_document(*task, task->info().recipe, 0), task->info().recipe, 0);
  for (const int step : {50, 120, 170}) {
    while (run.step() < step) run.take_step(&pool);
    kept.add("two layers, on the way", "loss after " + std::to_string(step) + " steps", {run.evaluate(&pool).loss},
             0.3);
  }
  kept.add("one layer", "accuracy",
           trained_results("induction", KeptResult::runs(10, 2), [](Recipe& r) { r.layers = 1; }).accuracies(), 0.1);
}

TEST_CASE("results: markov", "[learn][results][slow]") {
  if (test::kSanitized) return;
  KeptResult kept("markov", "Markov chains: the task's recipe, looked at every five steps", "results: markov");
  ThreadPool pool(threads_of_the_machine());
  const auto task = make_task("markov");
  const Recipe& recipe = task->info().recipe;
  const double guess = task->info().baselines[0].loss, single = task->info().baselines[1].loss,
               pair = task->info().baselines[2].loss;
  constexpr double kNear = 0.02;
  std::vector<double> left, came, stayed, half, least;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(KeptResult::runs(20, 1)); ++seed) {
    Run run(task, starting_document(*task, recipe, seed), recipe, seed);
    double off_guess = 0, near_first = 0, near_last = 0, half_way = 0;
    while (run.step() < recipe.steps) {
      for (int k = 0; k < 5; ++k) run.take_step(&pool);
      const double loss = run.evaluate(&pool).loss;
      if (off_guess == 0 && loss < guess - kNear) off_guess = run.step();
      if (near_first == 0 && loss < single + kNear) near_first = run.step();
      if (loss > single - kNear) near_last = run.step();
      if (half_way == 0 && loss < (single + pair) / 2) half_way = run.step();
    }
    left.push_back(off_guess), came.push_back(near_first), stayed.push_back(near_last - near_first);
    half.push_back(half_way), least.push_back(run.evaluate(&pool).loss);
  }
  kept.add("two layers", "step at which the guess is left", left, 10);
  kept.add("two layers", "step at which single frequencies are reached", came, 40);
  kept.add("two layers", "steps near single frequencies", stayed, 200);
  kept.add("two layers", "step half-way to pair frequencies", half, 200);
  kept.add("two layers", "loss at the end", least, 0.03);
}

TEST_CASE("results: what pages say in words holds of what was measured", "[learn][results]") {
  const auto accuracy = [](const char* key, const std::string& setting) -> const Measured& {
    return result(key).measured(setting, "accuracy");
  };
  // Collapse: both questions are answered, or one of two.
  CHECK(accuracy("collapse", "normal").least() > 0.99);
  CHECK(accuracy("collapse", "repel").least() > 0.98);
  CHECK(accuracy("collapse", "identical").most() - accuracy("collapse", "identical").least() < 0.03);
  CHECK(result("collapse").measured("identical", "alike").least() > 0.999);
  CHECK(result("collapse").measured("repel", "alike").mean() <
        0.5 * result("collapse").measured("normal", "alike").mean());
  CHECK(result("collapse").measured("pruned", "open gates").mean() == 3);
  // Students: too few heads and too narrow ones; seed 0 of four leaves a question, seed 1 none.
  const std::vector<double>& least = result("students").measured("4 heads", "least answered question").values();
  CHECK(least[0] < kAnswered);
  CHECK(result("students").measured("4 heads", "question 3").values()[0] == least[0]);
  CHECK(least[1] >= kAnswered);
  CHECK(accuracy("students", "8 heads").least() > 0.99);
  for (const Index heads : {1, 2, 4, 8, 16, 32}) {  // the crowd: each a little less
    const double few = accuracy("students", heads_of(heads)).mean(), many = accuracy("crowd", heads_of(heads)).mean();
    CHECK(many < few);
    CHECK(many > few - 0.1);
  }
  for (const char* heads : {"4 heads", "8 heads"}) {  // about half of the runs answer everything
    const Measured& runs = accuracy("crowd", heads);
    CHECK(runs.below(0.98) >= runs.runs() / 4);
    CHECK(runs.below(0.98) <= runs.runs() * 3 / 4);
  }
  CHECK(accuracy("students", "16 heads, d_model 64").least() > 0.99);
  CHECK(accuracy("students", "4 layers of 1 head, d_model 64").mean() <
        accuracy("students", "4 layers of 1 head").mean() - 0.2);
  // Induction: a run that does not find it answers all the same.
  CHECK(result("induction").measured("two layers", "what followed, one head").values()[2] < 0.1);
  CHECK(accuracy("induction", "two layers").values()[2] > 0.9);
  for (const std::string_view key : task_keys()) {
    CAPTURE(key);
    const auto task = make_task(key);
    for (const std::string& paragraph : task->outline().page) {
      CHECK(paragraph.find("(not measured)") == std::string::npos);
      CHECK(paragraph.find('{') == std::string::npos);
    }
  }
}

TEST_CASE("results: a file reads back as it was written, and what is wrong in it is said", "[learn][results]") {
  Result made{"a task", "results: a task", {}};
  made.settings["one \"head\""] = {7, {{"accuracy", Measured({0.5, 0.12345})}, {"steps", Measured({70, 1})}}};
  const std::string text = result_text(made);
  const Result read = parse_result(text, "r.json");
  CHECK(read.of == made.of);
  CHECK(read.settings.at("one \"head\"").first_seed == 7);
  CHECK(read.measured("one \"head\"", "accuracy").values() == std::vector<double>{0.5, 0.1235});
  CHECK(result_text(read) == text);
  CHECK(read.measured("two heads", "accuracy").runs() == 0);
  const auto fault = [](const char* settings) {
    try {
      parse_result(std::string("{\"of\": \"\", \"test\": \"\", \"settings\": ") + settings + "}", "r.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(fault("{\"a\": {\"x\": [1, 2], \"y\": [1]}}") ==
        "r.json: /settings/a/y must have a number for each run, as many as the others");
  CHECK(fault("{\"a\": {\"x\": [1, true]}}") == "r.json: /settings/a/x/1 must be a finite number, not true");
  CHECK(fault("{\"a\": {}}") == "r.json: /settings/a must have numbers");
  CHECK_THROWS_AS(parse_result("{\"of\": \"\"}", "r.json"), InputError);
}

TEST_CASE("results: numbers as pages write them", "[learn][results]") {
  CHECK(share_words(0.374) == ".37");
  CHECK(share_words(0.996) == "1.00");
  CHECK(share_words(2.67, 1) == "2.7");
  CHECK(share_words(Measured({}).mean()) == "(not measured)");
  CHECK(count_words(0) == "no");
  CHECK(count_words(19) == "nineteen");
  CHECK(count_words(40) == "forty");
  CHECK(count_words(21) == "twenty-one");
  CHECK(runs_words(20, 20) == "each of twenty runs");
  CHECK(runs_words(0, 20) == "none of twenty runs");
  CHECK(runs_words(3, 20) == "three of twenty runs");
  CHECK(range_words(Measured({0.5, 0.25})) == ".25 to .50");
  CHECK(Measured({3, 1, 2}).median() == 2);
  CHECK(Measured({1, 2, 3}).below(3) == 2);
}

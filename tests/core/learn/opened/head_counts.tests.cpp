// Trade-off by training: many runs side by side are what each is by itself, whoever trains them and whatever was
// trained before; they end at once when they are wanted no more.
#include "core/learn/opened/head_counts.h"

#include <catch2/catch.hpp>
#include <map>
#include <thread>
#include <tuple>

#include "core/analysis/spread.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/learn/start.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using namespace hydra::learn;

namespace {

std::shared_ptr<const Task> students() { return make_task("students"); }

CountsAsked few() {
  CountsAsked asked;
  asked.heads = {1, 4};
  asked.deep = 0;
  asked.rates = {0.01};
  asked.seeds = 2;
  asked.steps = 7;
  asked.every = 3;
  return asked;
}

CountRuns trained(const CountsAsked& asked, int threads, const CountRuns& known = {}) {
  ThreadPool pool(threads);
  return train_head_counts(asked, students(), known, &pool, nullptr, {});
}

bool same(const Scores& a, const Scores& b) {
  return a.loss == b.loss && a.accuracy == b.accuracy && a.by_question == b.by_question && a.masses == b.masses;
}
bool same(const CountRun& a, const CountRun& b) {
  const auto same_points = [](const CountPoint& p, const CountPoint& q) {
    return p.step == q.step && p.loss == q.loss && p.accuracy == q.accuracy;
  };
  return a.heads == b.heads && a.seed == b.seed && a.step == b.step && a.done == b.done &&
         std::ranges::equal(a.curve, b.curve, same_points) && same(a.scores, b.scores) && *a.patterns == *b.patterns;
}

}  // namespace

TEST_CASE("head counts: the same bits at any number of threads", "[learn][head_counts]") {
  const CountRuns alone = trained(few(), 1);
  REQUIRE(alone.size() == 4);
  for (const int threads : {2, 3, 7}) {
    const CountRuns runs = trained(few(), threads);
    REQUIRE(runs.size() == 4);
    for (const auto& [key, run] : runs) CHECK(same(*run, *alone.at(key)));
  }
  CHECK_FALSE(same(*alone.at({{1, 1}, 0.01, 0}), *alone.at({{1, 1}, 0.01, 1})));  // another seed
}

TEST_CASE("head counts: each run is what Run gives by itself", "[learn][head_counts]") {
  CountsAsked asked = few();
  asked.d_model = GENERATE(32, 64);
  asked.deep = 2;
  asked.rates = {0.003, 0.03};
  const CountRuns runs = trained(asked, 2);
  REQUIRE(runs.size() == 12);
  const auto task = students();
  for (const auto& [key, of_key] : runs) {
    const CountRun& seen = *of_key;
    Recipe recipe = task->info().recipe;
    recipe.layers = key.layers, recipe.heads = key.heads, recipe.optimizer.rate = key.rate;
    recipe.d_model = asked.d_model, recipe.steps = asked.steps;
    Run run(task, starting_document(*task, recipe, key.seed), recipe, key.seed);
    std::vector<double> losses, accuracies;
    while (run.step() < asked.steps) {
      const Scores& scores = run.take_step(nullptr);
      losses.push_back(scores.loss), accuracies.push_back(scores.accuracy);
    }
    CHECK(static_cast<const CountKey&>(seen) == key);
    CHECK(seen.step == 7);
    CHECK((seen.done && !seen.diverged));
    CHECK(same(seen.scores, run.evaluate(nullptr)));
    // Points after 3, 6 and 7 steps, each the mean of the steps since.
    REQUIRE(seen.curve.size() == 3);
    CHECK(seen.curve[0].step == 3);
    CHECK(seen.curve[0].loss == Approx((losses[0] + losses[1] + losses[2]) / 3));
    CHECK(seen.curve[1].accuracy == Approx((accuracies[3] + accuracies[4] + accuracies[5]) / 3));
    CHECK(seen.curve[2].step == 7);
    CHECK(seen.curve[2].loss == Approx(losses[6]));
  }
}

TEST_CASE("head counts: the patterns are those of the document that was learned, on the example",
          "[learn][head_counts]") {
  const auto task = students();
  const CountExample example(*task);
  CountsAsked asked = few();
  asked.deep = 3;
  for (const auto& [key, run] : trained(asked, 2)) {
    REQUIRE(run->document);
    CHECK(run->document->tokens == example.tokens);
    const auto trace = evaluate(*run->document);
    REQUIRE(std::ssize(trace->layers) == key.layers);
    REQUIRE(run->patterns.rows() == key.layers * key.heads * 12);
    for (Index k = 0; k < key.layers; ++k)
      for (Index h = 0; h < key.heads; ++h) {
        const LayerTrace<float>& layer = trace->layers[static_cast<std::size_t>(k)];
        REQUIRE(std::ssize(layer.heads) == key.heads);
        const Mat<float> shown = run->patterns->middleRows(12 * (k * key.heads + h), 12),
                         own = *layer.heads[static_cast<std::size_t>(h)].attention;
        CHECK((shown - own).cwiseAbs().maxCoeff() < 1e-5f);
      }
  }
}

TEST_CASE("head counts: the example says where each question's gold is", "[learn][head_counts]") {
  const auto task = students();
  const CountExample example(*task);
  REQUIRE(example.tokens.size() == 12);
  for (Index query = 0; query < 12; ++query)
    for (Index question = 0; question < 4; ++question) {
      const Index gold = example.gold(query, question);
      REQUIRE((gold >= 0 && gold < 12));
      // "Ann+plum+1:Bob+...": question 1 asks for Bob, who is a token that begins with Bob.
      const std::string& asks = example.tokens[static_cast<std::size_t>(query)];
      const std::string& asked = example.tokens[static_cast<std::size_t>(gold)];
      const std::string name = asked.substr(0, asked.find('+'));
      CHECK(asks.find(std::to_string(question + 1) + ":" + name) != std::string::npos);
    }
}

TEST_CASE("head counts: what is known is not trained again, and news come as the runs go on", "[learn][head_counts]") {
  CountsAsked asked = few();
  asked.seeds = 1;
  CountRuns known = trained(asked, 2);
  asked.seeds = 2;
  CHECK(runs_to_train(asked, known) == 2);
  CHECK(runs_to_train(asked, {}) == 4);
  std::map<CountKey, std::vector<int>> steps;
  std::atomic<int> done = 0;
  ThreadPool pool(2);
  const CountRuns runs = train_head_counts(
      asked, students(), known, &pool,
      [&](const std::shared_ptr<const CountRun>& run) { steps[*run].push_back(run->step); }, Progress{{}, &done});
  CHECK(done == 14);
  CHECK(steps == std::map<CountKey, std::vector<int>>{{{{1, 1}, 0.01, 1}, {3, 6, 7}}, {{{1, 4}, 0.01, 1}, {3, 6, 7}}});
  for (const auto& [key, run] : known) CHECK(runs.at(key) == run);
  const CountRuns whole = trained(asked, 1);
  for (const auto& [key, run] : whole) CHECK(same(*runs.at(key), *run));
}

TEST_CASE("head counts: a stop is heard within a step, before the first and in the middle", "[learn][head_counts]") {
  CountsAsked asked = few();
  asked.steps = 1'000'000;
  const int at = GENERATE(0, 1, 5);
  std::stop_source stop;
  if (at == 0) stop.request_stop();
  std::atomic<int> done = 0;
  int news = 0;
  ThreadPool pool(2);
  const auto hear = [&](const std::shared_ptr<const CountRun>&) {
    if (++news == at) stop.request_stop();
  };
  CHECK_THROWS_AS(train_head_counts(asked, students(), {}, &pool, hear, Progress{stop.get_token(), &done}), Stopped);
  CHECK(news <= at + 1);
  CHECK(done <= 3 * (at + 2));
}

TEST_CASE("head counts: every model at every rate with every seed, and a deeper one beside them",
          "[learn][head_counts]") {
  CountsAsked asked;
  CHECK(asked.runs().size() == 5 * 3 * 7);
  CHECK(asked.models().back() == CountModel{4, 1});
  asked.heads = {2}, asked.deep = 4, asked.rates = {0.01, 0.1}, asked.seeds = 2;
  CHECK(asked.runs() == std::vector<CountKey>{{{1, 2}, 0.01, 0},
                                              {{1, 2}, 0.1, 0},
                                              {{4, 1}, 0.01, 0},
                                              {{4, 1}, 0.1, 0},
                                              {{1, 2}, 0.01, 1},
                                              {{1, 2}, 0.1, 1},
                                              {{4, 1}, 0.01, 1},
                                              {{4, 1}, 0.1, 1}});
  asked.deep = 0;
  CHECK(asked.runs().size() == 4);
}

TEST_CASE("head counts: a width is halved down to heads of one number", "[learn][head_counts]") {
  CHECK(halvings(32) == std::vector<Index>{1, 2, 4, 8, 16, 32});
  CHECK(halvings(12) == std::vector<Index>{1, 2, 4});
}

TEST_CASE("head counts: sizes that no model has are refused before anything is trained", "[learn][head_counts]") {
  CountsAsked asked = few();
  asked.heads = {1, 5};
  CHECK_THROWS_AS(trained(asked, 1), InputError);
}

TEST_CASE("head counts: a question is answered where three of four answers are right", "[learn][head_counts]") {
  CountRun run;
  run.scores.by_question = {1.0, 0.75, 0.74, 0.125};
  CHECK(answered(run) == 2);
  run.scores.by_question.clear();
  CHECK(answered(run) == 0);
}

TEST_CASE("head counts: what docs/head_counts.md says of walls, rates, width, steps and depth",
          "[learn][head_counts][slow]") {
  if (test::kSanitized) return;
  // All of it is two minutes of training; by itself a change tries the walls at one rate.
  const bool all_of_it = test::all_cases();
  ThreadPool pool(threads_of_the_machine());
  // Medians over seeds.
  const auto medians = [&](const CountsAsked& asked) {
    std::map<std::tuple<Index, Index, double>, std::vector<double>> all;
    for (const auto& [key, run] : train_head_counts(asked, students(), {}, &pool, nullptr, {}))
      all[{key.layers, key.heads, key.rate}].push_back(run->scores.accuracy);
    std::map<std::tuple<Index, Index, double>, double> found;
    for (auto& [key, values] : all) found[key] = spread_of(values).median;
    return found;
  };
  const auto median = medians(
      all_of_it ? CountsAsked{} : CountsAsked{.heads = {1, 2, 4, 8, 32}, .deep = 0, .rates = {0.01}, .seeds = 3});
  for (const double rate : all_of_it ? std::vector{0.003, 0.01, 0.03} : std::vector{0.01}) {
    CHECK(median.at({1, 1, rate}) == Approx(0.37).margin(0.03));
    CHECK(median.at({1, 2, rate}) == Approx(0.58).margin(0.03));
    CHECK(median.at({1, 32, rate}) < 0.5);
  }
  for (const double rate : all_of_it ? std::vector{0.01, 0.03} : std::vector{0.01}) {
    CHECK(median.at({1, 4, rate}) > 0.95);
    CHECK(median.at({1, 8, rate}) > 0.98);
  }
  if (!all_of_it) return;
  // One learning rate's wall.
  CHECK(median.at({1, 16, 0.003}) < 0.45);
  CHECK(median.at({1, 16, 0.01}) == Approx(0.70).margin(0.1));
  CHECK(median.at({1, 16, 0.03}) > 0.8);
  CHECK(median.at({1, 16, 0.03}) > median.at({1, 16, 0.01}) + 0.1);
  // Depth instead of heads.
  CHECK(median.at({4, 1, 0.01}) > 0.75);
  CHECK(median.at({4, 1, 0.01}) > median.at({1, 1, 0.01}) + 0.3);
  const auto patient = medians({.heads = {16, 32}, .deep = 0, .rates = {0.01}, .seeds = 3, .steps = 6000});
  CHECK(patient.at({1, 16, 0.01}) > 0.95);
  CHECK(patient.at({1, 32, 0.01}) < 0.6);
  const auto wide = medians({.d_model = 64, .heads = {1, 16, 32, 64}, .deep = 0, .rates = {0.01}, .seeds = 2});
  CHECK(wide.at({1, 1, 0.01}) < 0.42);
  CHECK(wide.at({1, 16, 0.01}) > 0.98);
  CHECK(wide.at({1, 32, 0.01}) > 0.98);
  CHECK(wide.at({1, 64, 0.01}) < 0.8);
}

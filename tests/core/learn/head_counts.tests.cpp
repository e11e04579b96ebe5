// Trade-off by training: many runs side by side are what each is by itself, whoever trains them and whatever was
// trained before; they end at once when they are wanted no more.
#include "core/learn/head_counts.h"

#include <catch2/catch.hpp>
#include <map>
#include <thread>

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
    for (std::size_t k = 0; k < 4; ++k) CHECK(same(*runs[k], *alone[k]));
  }
  CHECK_FALSE(same(*alone[0], *alone[2]));  // another seed
}

TEST_CASE("head counts: each run is what Run gives by itself", "[learn][head_counts]") {
  CountsAsked asked = few();
  asked.d_model = GENERATE(32, 64);
  const CountRuns runs = trained(asked, 2);
  const auto task = students();
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const CountRun& seen = *runs[k];
    Recipe recipe = task->info().recipe;
    recipe.heads = asked.heads[k % 2], recipe.d_model = asked.d_model, recipe.steps = asked.steps;
    const auto seed = static_cast<std::uint64_t>(k / 2);
    Run run(task, starting_document(*task, recipe, seed), recipe, seed);
    std::vector<double> losses, accuracies;
    while (run.step() < asked.steps) {
      const Scores& scores = run.take_step(nullptr);
      losses.push_back(scores.loss), accuracies.push_back(scores.accuracy);
    }
    CHECK(seen.heads == recipe.heads);
    CHECK(seen.seed == seed);
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
  for (const auto& run : trained(few(), 2)) {
    REQUIRE(run->document);
    CHECK(run->document->tokens == example.tokens);
    const auto trace = evaluate(*run->document);
    const LayerTrace<float>& layer = trace->layers.front();
    REQUIRE(std::ssize(layer.heads) == run->heads);
    REQUIRE(run->patterns.rows() == run->heads * 12);
    for (Index h = 0; h < run->heads; ++h) {
      const Mat<float> shown = run->patterns->middleRows(12 * h, 12),
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
  CHECK(steps_to_train(asked, known) == 14);
  CHECK(steps_to_train(asked, {}) == 28);
  std::map<std::size_t, std::vector<int>> steps;
  std::atomic<int> done = 0;
  ThreadPool pool(2);
  const CountRuns runs = train_head_counts(
      asked, students(), known, &pool,
      [&](std::size_t k, const std::shared_ptr<const CountRun>& run) { steps[k].push_back(run->step); },
      Progress{{}, &done});
  CHECK(done == 14);
  CHECK(steps == std::map<std::size_t, std::vector<int>>{{2, {3, 6, 7}}, {3, {3, 6, 7}}});
  CHECK(runs[0] == known[0]);
  CHECK(runs[1] == known[1]);
  const CountRuns whole = trained(asked, 1);
  for (std::size_t k = 0; k < 4; ++k) CHECK(same(*runs[k], *whole[k]));
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
  const auto hear = [&](std::size_t, const std::shared_ptr<const CountRun>&) {
    if (++news == at) stop.request_stop();
  };
  CHECK_THROWS_AS(train_head_counts(asked, students(), {}, &pool, hear, Progress{stop.get_token(), &done}), Stopped);
  CHECK(news <= at + 1);
  CHECK(done <= 3 * (at + 2));
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

TEST_CASE("head counts: both walls stand where the report has them, and the right one gives way to width and steps",
          "[learn][head_counts][slow]") {
  if (test::kSanitized) return;
  ThreadPool pool(threads_of_the_machine());
  const auto means = [&](const CountsAsked& asked) {
    const CountRuns runs = train_head_counts(asked, students(), {}, &pool, nullptr, {});
    std::map<Index, double> mean;
    for (const auto& run : runs) mean[run->heads] += run->scores.accuracy / asked.seeds;
    return std::pair(mean, runs);
  };
  const auto [mean, runs] = means({});
  CHECK(mean.at(1) == Approx(0.378).margin(0.03));
  CHECK(mean.at(2) == Approx(0.576).margin(0.03));
  CHECK(mean.at(4) > 0.9);
  CHECK(mean.at(8) > 0.98);
  CHECK(mean.at(16) == Approx(0.718).margin(0.12));
  CHECK(mean.at(32) == Approx(0.373).margin(0.05));
  for (const auto& run : runs) {
    if (run->heads == 1) CHECK(answered(*run) == 1);
    if (run->heads == 2) CHECK(answered(*run) == 2);
    if (run->heads == 8) CHECK(answered(*run) == 4);
    if (run->heads == 32) CHECK(answered(*run) == 0);
  }
  // What the page says of more steps and of more width.
  CountsAsked longer{.heads = {16, 32}, .seeds = 3, .steps = 6000};
  const auto [patient, patient_runs] = means(longer);
  CHECK(patient.at(16) > 0.95);
  CHECK(patient.at(32) < 0.6);
  CountsAsked wide{.d_model = 64, .heads = {1, 16, 32, 64}, .seeds = 2};
  const auto [wider, wide_runs] = means(wide);
  CHECK(wider.at(1) < 0.42);
  CHECK(wider.at(16) > 0.98);
  CHECK(wider.at(32) > 0.98);
  CHECK(wider.at(64) < 0.8);
}

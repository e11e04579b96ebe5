// Training few and many heads in the background: only when told to, seen as it goes on, ended by a cancel, kept.
#include "app/measures/head_counts.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "tests/support/measuring.h"
#include "tests/support/wait_until.h"

using namespace hydra;

namespace {

learn::CountsAsked some(int seeds = 1, int steps = 6) {
  learn::CountsAsked asked;
  asked.heads = {1, 2};
  asked.deep = 0, asked.rates = {0.01};
  asked.seeds = seeds, asked.steps = steps, asked.every = 2;
  return asked;
}

struct Training : test::Starting<HeadCountsMeasure> {
  const HeadCountsMeasure::Trained* of(Index d_model, int steps) {
    return shown().value ? shown().value->of("students", d_model, steps) : nullptr;
  }
  int done(const learn::CountsAsked& asked) {
    const auto* trained = of(asked.d_model, asked.steps);
    return trained ? static_cast<int>(asked.runs().size() - learn::runs_to_train(asked, trained->runs)) : 0;
  }
};

}  // namespace

TEST_CASE("head counts measure: nothing is trained before somebody asks", "[app][head_counts]") {
  Training training;
  CHECK(HeadCountsMeasure::task("students")->info().key == "students");
  CHECK(HeadCountsMeasure::example("students").tokens.size() == 12);
  CHECK_FALSE(training.update());
  CHECK_FALSE(training.shown().computing);
  CHECK_FALSE(training.shown().value);
  training.cancel();
  CHECK_FALSE(training.update());
}

TEST_CASE("head counts measure: all runs come, with news on the way", "[app][head_counts]") {
  Training training;
  std::atomic<int> news = 0;
  training.measures.on_finished([&] { ++news; });
  training.start(some(2));
  CHECK(training.shown().computing);
  training.finish();
  CHECK_FALSE(training.shown().computing);
  CHECK(training.shown().failure.empty());
  CHECK(training.done(some(2)) == 4);
  CHECK(training.shown().progress == 1);
  CHECK(news >= 12);  // three of each run
  CHECK_FALSE(training.update());
  // Equal to what is trained without a training.
  const auto alone = learn::train_head_counts(some(2), learn::make_task("students"), {}, nullptr, nullptr, {});
  for (const auto& [key, run] : alone) CHECK(*training.of(32, 6)->runs.at(key)->patterns == *run->patterns);
}

TEST_CASE("head counts measure: more seeds and rates train only what is missing, and all that was trained stays",
          "[app][head_counts]") {
  Training training;
  training.start(some(1));
  training.finish();
  const learn::CountRuns first = training.of(32, 6)->runs;
  learn::CountsAsked more = some(2);
  more.rates = {0.01, 0.03};
  training.start(more);
  training.finish();
  CHECK(training.done(more) == 8);
  learn::CountsAsked other = some(1);
  other.rates = {0.1}, other.deep = 2;
  training.start(other);
  training.finish();
  CHECK(training.done(more) == 8);
  CHECK(training.done(other) == 3);
  for (const auto& [key, run] : first) CHECK(training.of(32, 6)->runs.at(key) == run);
  training.start(some(1));  // which is there already
  training.finish();
  for (const auto& [key, run] : first) CHECK(training.of(32, 6)->runs.at(key) == run);
}

TEST_CASE("head counts measure: each width and each budget is kept beside the others", "[app][head_counts]") {
  Training training;
  learn::CountsAsked wide = some();
  wide.d_model = 64;
  for (const learn::CountsAsked& asked : {wide, some(1, 4), some()}) {
    training.start(asked);
    training.finish();
  }
  REQUIRE(training.shown().value);
  const auto& trained = training.shown().value->trained;
  REQUIRE(trained.size() == 3);
  CHECK(trained[0]->steps == 4);
  CHECK(trained[1]->steps == 6);
  CHECK(trained[2]->d_model == 64);
  CHECK(training.done(wide) == 2);
}

TEST_CASE("head counts measure: a cancel keeps what was seen, and the rest is trained later", "[app][head_counts]") {
  Training training;
  const learn::CountsAsked asked = some(1, 1'000'000);
  training.start(asked);
  const auto seen = [&] {
    const auto* trained = training.of(32, 1'000'000);
    return trained && trained->runs.size() == 2;
  };
  test::wait_until([&] {
    training.update();
    REQUIRE(training.shown().computing);
    return seen();
  });
  CHECK(training.shown().progress < 1);
  training.cancel();
  CHECK(training.shown().stopped);
  training.finish();
  CHECK_FALSE(training.shown().computing);
  CHECK(training.shown().failure.empty());
  CHECK(seen());
  CHECK(training.done(asked) == 0);
  // Another begins in its place while it is under way, and nothing of the first comes into it.
  training.start(asked);
  training.start(some());
  training.finish();
  CHECK(training.done(some()) == 2);
  CHECK(training.done(asked) == 0);
}

TEST_CASE("head counts measure: sizes that no model has are a failure in a sentence", "[app][head_counts]") {
  Training training;
  learn::CountsAsked asked = some();
  asked.heads = {3};
  training.start(asked);
  training.finish();
  CHECK_FALSE(training.shown().computing);
  CHECK(training.shown().failure.find("3") != std::string::npos);
}

// Training few and many heads beside the frame loop: only when told to, seen as it goes on, ended by a cancel, kept.
#include "app/work/head_counts_keeper.h"

#include <atomic>
#include <catch2/catch.hpp>

using namespace hydra;
using namespace std::chrono_literals;

namespace {

learn::CountsAsked some(int seeds = 1, int steps = 6) {
  learn::CountsAsked asked;
  asked.heads = {1, 2};
  asked.deep = 0, asked.rates = {0.01};
  asked.seeds = seeds, asked.steps = steps, asked.every = 2;
  return asked;
}

void finish(HeadCountsKeeper& keeper) {
  keeper.beside().finish();
  keeper.update();
}

int done(const HeadCountsKeeper& keeper, const learn::CountsAsked& asked) {
  int count = 0;
  if (const auto* trained = keeper.shown().of(asked.d_model, asked.steps))
    count = static_cast<int>(asked.runs().size() - learn::runs_to_train(asked, trained->runs));
  return count;
}

}  // namespace

TEST_CASE("head counts keeper: nothing is trained before somebody asks", "[app][head_counts]") {
  HeadCountsKeeper keeper;
  CHECK(keeper.shown().task->info().key == "students");
  CHECK(keeper.shown().example->tokens.size() == 12);
  CHECK_FALSE(keeper.update());
  CHECK_FALSE(keeper.beside().computing());
  CHECK(keeper.shown().trained.empty());
  keeper.cancel();
  CHECK_FALSE(keeper.update());
  CHECK_FALSE(keeper.shown().ending);
}

TEST_CASE("head counts keeper: all runs come, with news on the way", "[app][head_counts]") {
  HeadCountsKeeper keeper;
  std::atomic<int> news = 0;
  keeper.on_news([&] { ++news; });
  keeper.start(some(2));
  CHECK(keeper.shown().training);
  finish(keeper);
  CHECK_FALSE(keeper.shown().training);
  CHECK(keeper.shown().failure.empty());
  CHECK(done(keeper, some(2)) == 4);
  CHECK(keeper.shown().progress == 1);
  CHECK(news >= 12);  // three of each run
  CHECK_FALSE(keeper.update());
  // Equal to what is trained without a keeper.
  const auto alone = learn::train_head_counts(some(2), learn::make_task("students"), {}, nullptr, nullptr, {});
  for (const auto& [key, run] : alone) CHECK(*keeper.shown().of(32, 6)->runs.at(key)->patterns == *run->patterns);
}

TEST_CASE("head counts keeper: more seeds and rates train only what is missing, and all that was trained stays",
          "[app][head_counts]") {
  HeadCountsKeeper keeper;
  keeper.start(some(1));
  finish(keeper);
  const learn::CountRuns first = keeper.shown().of(32, 6)->runs;
  learn::CountsAsked more = some(2);
  more.rates = {0.01, 0.03};
  keeper.start(more);
  finish(keeper);
  CHECK(done(keeper, more) == 8);
  learn::CountsAsked other = some(1);
  other.rates = {0.1}, other.deep = 2;
  keeper.start(other);
  finish(keeper);
  CHECK(done(keeper, more) == 8);
  CHECK(done(keeper, other) == 3);
  for (const auto& [key, run] : first) CHECK(keeper.shown().of(32, 6)->runs.at(key) == run);
  keeper.start(some(1));  // which is there already
  finish(keeper);
  for (const auto& [key, run] : first) CHECK(keeper.shown().of(32, 6)->runs.at(key) == run);
}

TEST_CASE("head counts keeper: each width and each budget is kept beside the others", "[app][head_counts]") {
  HeadCountsKeeper keeper;
  learn::CountsAsked wide = some();
  wide.d_model = 64;
  for (const learn::CountsAsked& asked : {wide, some(1, 4), some()}) {
    keeper.start(asked);
    finish(keeper);
  }
  REQUIRE(keeper.shown().trained.size() == 3);
  CHECK(keeper.shown().trained[0]->steps == 4);
  CHECK(keeper.shown().trained[1]->steps == 6);
  CHECK(keeper.shown().trained[2]->d_model == 64);
  CHECK(done(keeper, wide) == 2);
}

TEST_CASE("head counts keeper: a cancel keeps what was seen, and the rest is trained later", "[app][head_counts]") {
  HeadCountsKeeper keeper;
  const learn::CountsAsked asked = some(1, 1'000'000);
  keeper.start(asked);
  const auto seen = [&] { return keeper.shown().of(32, 1'000'000)->runs.size() == 2; };
  while (!seen()) {
    keeper.update();
    REQUIRE(keeper.shown().training);
    std::this_thread::sleep_for(1ms);
  }
  CHECK(keeper.shown().progress < 1);
  keeper.cancel();
  CHECK(keeper.shown().ending);
  finish(keeper);
  CHECK_FALSE(keeper.shown().training);
  CHECK_FALSE(keeper.shown().ending);
  CHECK(keeper.shown().failure.empty());
  CHECK(seen());
  CHECK(done(keeper, asked) == 0);
  // Another begins in its place while it is under way, and nothing of the first comes into it.
  keeper.start(asked);
  keeper.start(some());
  finish(keeper);
  CHECK(done(keeper, some()) == 2);
  CHECK(done(keeper, asked) == 0);
}

TEST_CASE("head counts keeper: sizes that no model has are a failure in a sentence", "[app][head_counts]") {
  HeadCountsKeeper keeper;
  learn::CountsAsked asked = some();
  asked.heads = {3};
  keeper.start(asked);
  finish(keeper);
  CHECK_FALSE(keeper.shown().training);
  CHECK(keeper.shown().failure.find("3") != std::string::npos);
}

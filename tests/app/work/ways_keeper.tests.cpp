// Timing beside the frame loop: only when told to, seen as it goes on, ended by a cancel.
#include "app/work/ways_keeper.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

LayerInput<float> some_layer(Index d_model = 8, Index heads = 2) {
  Random random(1);
  return test::random_layer<float>(random, 5, d_model, heads);
}

}  // namespace

TEST_CASE("ways keeper: nothing is measured before somebody asks", "[app][ways]") {
  WaysKeeper keeper;
  CHECK_FALSE(keeper.update());
  CHECK_FALSE(keeper.beside().computing());
  CHECK_FALSE(keeper.shown().timed);
  keeper.cancel();
  CHECK_FALSE(keeper.update());
}

TEST_CASE("ways keeper: what was measured is shown with the sizes it was measured with", "[app][ways]") {
  WaysKeeper keeper;
  std::atomic<int> news = 0;
  keeper.on_news([&] { ++news; });
  keeper.start(some_layer(), {3, 9});
  CHECK(keeper.shown().measuring);
  keeper.beside().finish();
  CHECK(keeper.update());
  REQUIRE(keeper.shown().timed);
  const TimedWays& timed = *keeper.shown().timed;
  CHECK_FALSE(keeper.shown().measuring);
  CHECK_FALSE(keeper.shown().cancelled);
  CHECK(timed.lengths == std::vector<Index>{3, 9});
  CHECK(timed.sizes == timed_sizes(some_layer()));
  CHECK(timed.sizes != timed_sizes(some_layer(8, 4)));
  CHECK(timed.timings.ways.size() == 6);
  CHECK(timed.timings.steps.size() == 2);
  CHECK(news > 4);  // wakes a window that rests
  CHECK_FALSE(keeper.update());
}

TEST_CASE("ways keeper: points appear while it measures, and a cancel keeps them", "[app][ways]") {
  WaysKeeper keeper;
  // A length that takes long comes last.
  keeper.start(some_layer(64, 64), {4, 8, 4000});
  std::size_t points = 0;
  while (points < 6) {
    keeper.update();
    REQUIRE(keeper.shown().measuring);
    if (keeper.shown().timed) points = keeper.shown().timed->timings.ways.size();
    CHECK(keeper.shown().progress < 1);
    std::this_thread::sleep_for(1ms);
  }
  keeper.cancel();
  CHECK(keeper.shown().ending);
  keeper.beside().finish();
  keeper.update();
  CHECK_FALSE(keeper.shown().measuring);
  CHECK_FALSE(keeper.shown().ending);
  CHECK(keeper.shown().cancelled);
  CHECK(keeper.shown().timed->timings.ways.size() == 6);
}

TEST_CASE("ways keeper: a run cancelled before it found anything says nothing of the one before", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(), {3, 9});
  keeper.beside().finish();
  keeper.update();
  keeper.start(some_layer(64, 64), {4000});
  keeper.cancel();
  keeper.beside().finish();
  keeper.update();
  CHECK_FALSE(keeper.shown().measuring);
  CHECK_FALSE(keeper.shown().cancelled);
  CHECK(keeper.shown().timed->lengths == std::vector<Index>{3, 9});
}

TEST_CASE("ways keeper: measuring again and cancelling keeps what it has not reached", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(64, 64), {4, 200});
  keeper.beside().finish();
  keeper.update();
  const std::shared_ptr<const TimedWays> before = keeper.shown().timed;
  keeper.start(some_layer(64, 64), {4, 200});
  while (keeper.shown().timed == before && keeper.shown().measuring) {
    keeper.update();
    REQUIRE(keeper.shown().timed->timings.ways.size() == 6);  // while it measures, too
    std::this_thread::sleep_for(1ms);
  }
  keeper.cancel();
  keeper.beside().finish();
  keeper.update();
  const Timings& timings = keeper.shown().timed->timings;
  CHECK(timings.ways.size() == 6);
  CHECK(timings.steps.size() == 2);
  CHECK((keeper.shown().cancelled || !keeper.shown().timed->renewed));
}

TEST_CASE("ways keeper: what was measured anew comes before what is kept", "[app][ways]") {
  const TimedSizes sizes = timed_sizes(some_layer());
  TimedWays before{sizes, {3, 9, 27}, {}};
  for (const Index n : before.lengths) {
    for (const Way way : {Way::per_head, Way::tiled}) before.timings.ways.push_back({way, n, 100, 1, 1});
    before.timings.left_out.push_back({Way::combined, n, 7});
    before.timings.steps.push_back({n, 100, 100, 1, 1});
  }
  before.timings.largest_difference = 0.5;
  TimedWays now{sizes, {3, 9, 81}, {}};
  for (const Way way : {Way::per_head, Way::combined, Way::tiled}) now.timings.ways.push_back({way, 3, 1, 1, 1});
  const TimedWays both = renewed(now, before);
  CHECK(both.renewed);
  CHECK(both.lengths == now.lengths);
  CHECK(both.timings.ways.size() == 5);  // 27 was not asked for again
  CHECK(timing_of(both.timings, Way::per_head, 3)->milliseconds == 1);
  CHECK(timing_of(both.timings, Way::per_head, 9)->milliseconds == 100);
  CHECK_FALSE(timing_of(both.timings, Way::per_head, 27));
  REQUIRE(both.timings.left_out.size() == 1);  // at 3 it was run this time
  CHECK(both.timings.left_out.front().n == 9);
  CHECK(both.timings.steps.size() == 2);
  CHECK(both.timings.largest_difference == 0.5);
  // With other sizes nothing is kept, and when all is reached nothing has to be.
  before.sizes.heads += 1;
  CHECK(renewed(now, before).timings.ways.size() == 3);
  CHECK_FALSE(renewed(now, before).renewed);
  TimedWays same = now;
  CHECK_FALSE(renewed(same, now).renewed);
}

TEST_CASE("ways keeper: a new start replaces the one under way", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(), {5});
  keeper.start(some_layer(8, 4), {6, 7});
  keeper.beside().finish();
  keeper.update();
  CHECK(keeper.shown().timed->lengths == std::vector<Index>{6, 7});
  CHECK(keeper.shown().timed->sizes.heads == 4);
  CHECK_FALSE(keeper.shown().cancelled);
}

TEST_CASE("ways keeper: it can go while it measures", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(), {64, 128, 256, 512, 1024, 2048});
}

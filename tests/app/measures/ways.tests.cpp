// Timing in the background: only when told to, seen as it goes on, ended by a cancel.
#include "app/measures/ways.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "tests/support/measuring.h"
#include "tests/support/models/layers.h"
#include "tests/support/wait_until.h"

using namespace hydra;

namespace {

LayerInput<float> some_layer(Index d_model = 8, Index heads = 2) {
  Random random(1);
  return test::random_layer<float>(random, 5, d_model, heads);
}

struct Timing : test::Starting<WaysMeasure> {
  const TimedWays* timed() { return shown().value ? shown().value->timed.get() : nullptr; }
  bool ended_early() { return WaysMeasure::ended_early(shown()); }
};

}  // namespace

TEST_CASE("ways measure: nothing is measured before somebody asks", "[app][ways]") {
  Timing timing;
  CHECK_FALSE(timing.update());
  CHECK_FALSE(timing.shown().computing);
  CHECK_FALSE(timing.timed());
  timing.cancel();
  CHECK_FALSE(timing.update());
}

TEST_CASE("ways measure: what was measured is shown with the sizes it was measured with", "[app][ways]") {
  Timing timing;
  std::atomic<int> news = 0;
  timing.measures.on_finished([&] { ++news; });
  timing.start({some_layer(), {3, 9}});
  CHECK(timing.shown().computing);
  timing.finish();
  REQUIRE(timing.timed());
  const TimedWays& timed = *timing.timed();
  CHECK_FALSE(timing.shown().computing);
  CHECK_FALSE(timing.ended_early());
  CHECK(timed.lengths == std::vector<Index>{3, 9});
  CHECK(timed.sizes == timed_sizes(some_layer()));
  CHECK(timed.sizes != timed_sizes(some_layer(8, 4)));
  CHECK(timed.timings.ways.size() == 6);
  CHECK(timed.timings.steps.size() == 2);
  CHECK(news > 4);  // wakes a window that rests
  CHECK_FALSE(timing.update());
}

TEST_CASE("ways measure: points appear while it measures, and a cancel keeps them", "[app][ways]") {
  Timing timing;
  // A length that takes long comes last.
  timing.start({some_layer(64, 64), {4, 8, 4000}});
  std::size_t points = 0;
  test::wait_until([&] {
    timing.update();
    REQUIRE(timing.shown().computing);
    if (timing.timed()) points = timing.timed()->timings.ways.size();
    CHECK(timing.shown().progress < 1);
    return points >= 6;
  });
  timing.cancel();
  CHECK(timing.shown().stopped);
  timing.finish();
  CHECK_FALSE(timing.shown().computing);
  CHECK(timing.ended_early());
  CHECK(timing.timed()->timings.ways.size() == 6);
}

TEST_CASE("ways measure: a run cancelled before it found anything says nothing of the one before", "[app][ways]") {
  Timing timing;
  timing.start({some_layer(), {3, 9}});
  timing.finish();
  timing.start({some_layer(64, 64), {4000}});
  timing.cancel();
  timing.finish();
  CHECK_FALSE(timing.shown().computing);
  CHECK_FALSE(timing.ended_early());
  CHECK(timing.timed()->lengths == std::vector<Index>{3, 9});
}

TEST_CASE("ways measure: measuring again and cancelling keeps what it has not reached", "[app][ways]") {
  Timing timing;
  timing.start({some_layer(64, 64), {4, 200}});
  timing.finish();
  const std::shared_ptr<const TimedWays> before = timing.shown().value->timed;
  timing.start({some_layer(64, 64), {4, 200}});
  test::wait_until([&] {
    timing.update();
    REQUIRE(timing.timed()->timings.ways.size() == 6);  // while it measures, too
    return timing.shown().value->timed != before || !timing.shown().computing;
  });
  timing.cancel();
  timing.finish();
  const Timings& timings = timing.timed()->timings;
  CHECK(timings.ways.size() == 6);
  CHECK(timings.steps.size() == 2);
  CHECK((timing.ended_early() || !timing.timed()->renewed));
}

TEST_CASE("ways measure: what was measured anew comes before what is kept", "[app][ways]") {
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

TEST_CASE("ways measure: a new start replaces the one under way", "[app][ways]") {
  Timing timing;
  timing.start({some_layer(), {5}});
  timing.start({some_layer(8, 4), {6, 7}});
  timing.finish();
  CHECK(timing.timed()->lengths == std::vector<Index>{6, 7});
  CHECK(timing.timed()->sizes.heads == 4);
  CHECK_FALSE(timing.ended_early());
}

TEST_CASE("ways measure: it can go while it measures", "[app][ways]") {
  Timing timing;
  timing.start({some_layer(), {64, 128, 256, 512, 1024, 2048}});
}

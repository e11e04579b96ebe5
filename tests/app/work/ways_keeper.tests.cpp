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
  CHECK_FALSE(keeper.computing());
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
  keeper.finish();
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
  keeper.finish();
  keeper.update();
  CHECK_FALSE(keeper.shown().measuring);
  CHECK_FALSE(keeper.shown().ending);
  CHECK(keeper.shown().cancelled);
  CHECK(keeper.shown().timed->timings.ways.size() == 6);
}

TEST_CASE("ways keeper: a run cancelled before it found anything says nothing of the one before", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(), {3, 9});
  keeper.finish();
  keeper.update();
  keeper.start(some_layer(64, 64), {4000});
  keeper.cancel();
  keeper.finish();
  keeper.update();
  CHECK_FALSE(keeper.shown().measuring);
  CHECK_FALSE(keeper.shown().cancelled);
  CHECK(keeper.shown().timed->lengths == std::vector<Index>{3, 9});
}

TEST_CASE("ways keeper: a new start replaces the one under way", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(), {5});
  keeper.start(some_layer(8, 4), {6, 7});
  keeper.finish();
  keeper.update();
  CHECK(keeper.shown().timed->lengths == std::vector<Index>{6, 7});
  CHECK(keeper.shown().timed->sizes.heads == 4);
  CHECK_FALSE(keeper.shown().cancelled);
}

TEST_CASE("ways keeper: it can go while it measures", "[app][ways]") {
  WaysKeeper keeper;
  keeper.start(some_layer(), {64, 128, 256, 512, 1024, 2048});
}

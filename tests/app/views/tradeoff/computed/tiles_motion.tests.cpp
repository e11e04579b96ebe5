// Walking through tiles: play, pause, the end, and how fast.
#include "app/views/tradeoff/computed/tiles_motion.h"

#include <catch2/catch.hpp>

using namespace hydra;

TEST_CASE("tiles motion: a short sentence has several tiles, a long one not too many", "[app][tiles]") {
  std::optional<Index> chosen;
  CHECK(side_for(chosen, 1) == 2);
  CHECK(side_for(chosen, 8) == 2);
  CHECK(side_for(chosen, 9) == 4);
  CHECK(side_for(chosen, 12) == 4);
  CHECK(side_for(chosen, 17) == 8);
  CHECK(side_for(chosen, 1024) == 64);
  chosen = 2;  // chosen, and kept where it can be followed
  CHECK(side_for(chosen, 12) == 2);
  CHECK(side_for(chosen, 64) == 2);
  CHECK(side_for(chosen, 65) == 4);
  CHECK(side_for(chosen, 1024) == 32);
  CHECK(side_for(chosen, 12) == 2);
}

TEST_CASE("tiles motion: it plays to the end and stops there, and again from the beginning", "[app][tiles]") {
  TilesMotion motion;
  CHECK_FALSE(walk_on(motion, 3, 9, 10));
  CHECK_FALSE(motion.done);
  toggle_playing(motion, 3, 9);
  CHECK(motion.done == 3);
  CHECK(walk_on(motion, 3, 9, 0.01f));
  CHECK(motion.done == 3);
  CHECK(walk_on(motion, 3, 9, 0.8f));
  CHECK(motion.done == 4);
  toggle_playing(motion, 4, 9);  // pause
  CHECK_FALSE(walk_on(motion, 4, 9, 10));
  CHECK(motion.done == 4);
  toggle_playing(motion, 4, 9);
  CHECK_FALSE(walk_on(motion, 4, 9, 100));
  CHECK(motion.done == 9);
  CHECK_FALSE(motion.playing);
  toggle_playing(motion, 9, 9);
  CHECK(motion.done == 0);
  CHECK(motion.playing);
}

TEST_CASE("tiles motion: a long walk takes no longer than somebody waits", "[app][tiles]") {
  TilesMotion motion;
  toggle_playing(motion, 0, 10000);
  Index done = 0;
  float seconds = 0;
  for (bool plays = true; plays && seconds < 100; seconds += 1.0f / 60) {
    plays = walk_on(motion, done, 10000, 1.0f / 60);
    done = *motion.done;
  }
  CHECK(done == 10000);
  CHECK(seconds == Approx(30).margin(1));
}

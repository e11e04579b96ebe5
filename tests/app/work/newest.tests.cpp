// Work beside the frame loop: the newest request wins, nothing is lost, waiting ends.
#include "app/work/newest.h"

#include <atomic>
#include <catch2/catch.hpp>

using namespace hydra;
using namespace std::chrono_literals;

TEST_CASE("newest: what is quick is there after the wait", "[app][newest]") {
  Newest<int, int> work([](const int& k) { return 2 * k; });
  CHECK_FALSE(work.computing());
  CHECK_FALSE(work.take());
  work.ask(21, 10s);
  CHECK(work.take() == 42);
  CHECK_FALSE(work.take());
}

TEST_CASE("newest: while one is computed only the last of those asked for waits", "[app][newest]") {
  std::atomic<bool> go = false;
  std::atomic<int> computed = 0;
  Newest<int, int> work([&](const int& k) {
    while (!go) std::this_thread::yield();
    ++computed;
    return k;
  });
  work.ask(1, 0ms);
  while (!work.computing()) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);  // the worker has begun with 1
  work.ask(2, 0ms);
  work.ask(3, 0ms);
  CHECK(work.computing());
  CHECK_FALSE(work.take());
  go = true;
  work.finish();
  CHECK(work.take() == 3);
  CHECK(computed <= 2);
  CHECK_FALSE(work.computing());
}

TEST_CASE("newest: says when something is finished", "[app][newest]") {
  std::atomic<int> woken = 0;
  Newest<int, int> work([](const int& k) { return k; });
  work.on_finished([&] { ++woken; });
  work.ask(1, 10s);
  work.finish();
  for (int k = 0; k < 1000 && woken == 0; ++k) std::this_thread::sleep_for(1ms);
  CHECK(woken == 1);
}

// Work in the background: the newest request wins, nothing is lost, waiting ends.
#include "app/work/latest_request.h"
#include "tests/support/wait_until.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>

using namespace hydra;
using namespace std::chrono_literals;

TEST_CASE("newest: what is quick is there after the wait", "[app][newest]") {
  LatestRequest<int, int> work([](const int& k) { return 2 * k; });
  CHECK_FALSE(work.computing());
  CHECK_FALSE(work.take());
  work.ask(21, 10s);
  CHECK(work.take() == 42);
  CHECK_FALSE(work.take());
}

TEST_CASE("newest: while one is computed only the last of those asked for waits", "[app][newest]") {
  std::atomic<bool> go = false, begun = false;
  std::atomic<int> computed = 0;
  LatestRequest<int, int> work([&](const int& k) {
    begun = true;
    while (!go) std::this_thread::yield();
    ++computed;
    return k;
  });
  work.ask(1, 0ms);
  test::wait_until([&] { return begun.load(); });
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

TEST_CASE("newest: what a computation throws is handed back as a failure, and the next request is computed",
          "[app][newest]") {
  std::atomic<int> woken = 0;
  LatestRequest<int, int> work([](const int& k) -> int {
    if (k == 1) throw std::bad_alloc();
    if (k == 2) throw std::runtime_error("two is too much");
    if (k == 3) throw k;
    return k;
  });
  work.on_finished([&] { ++woken; });
  work.ask(1, 10s);
  CHECK_FALSE(work.computing());
  CHECK_FALSE(work.take());
  CHECK(work.take_failure() == "there is not enough memory; fewer tokens or heads need less");
  CHECK_FALSE(work.take_failure());
  work.ask(2, 10s);
  CHECK(work.take_failure()->starts_with("two is too much"));
  work.ask(3, 10s);
  CHECK(work.take_failure());
  work.ask(4, 10s);
  CHECK(work.take() == 4);
  CHECK_FALSE(work.take_failure());
  test::wait_until([&] { return woken >= 4; });
  CHECK(woken == 4);
}

TEST_CASE("newest: a failure that nobody took is gone when there is a newer result", "[app][newest]") {
  LatestRequest<int, int> work([](const int& k) {
    if (k == 1) throw std::bad_alloc();
    return k;
  });
  work.ask(1, 10s);
  work.ask(2, 10s);
  CHECK(work.take() == 2);
  CHECK_FALSE(work.take_failure());
}

TEST_CASE("newest: says when something is finished", "[app][newest]") {
  std::atomic<int> woken = 0;
  LatestRequest<int, int> work([](const int& k) { return k; });
  work.on_finished([&] { ++woken; });
  work.ask(1, 10s);
  work.finish();
  test::wait_until([&] { return woken > 0; });
  CHECK(woken == 1);
}

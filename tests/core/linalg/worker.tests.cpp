#include "core/linalg/worker.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace hydra;

TEST_CASE("worker: tasks are done one after the other, in the order in which they were posted", "[core][worker]") {
  std::vector<int> done;
  std::atomic<int> at_once = 0, most = 0;
  {
    Worker worker;
    for (int k = 0; k < 1000; ++k)
      worker.post([&, k] {
        most = std::max(most.load(), ++at_once);
        done.push_back(k);
        --at_once;
      });
  }
  REQUIRE(done.size() == 1000);  // what was posted is done before it ends
  for (int k = 0; k < 1000; ++k) REQUIRE(done[static_cast<std::size_t>(k)] == k);
  CHECK(most == 1);
}

TEST_CASE("worker: a result or what was thrown comes out of the future, on another thread", "[core][worker]") {
  Worker worker;
  const auto id = worker.run([] { return std::this_thread::get_id(); });
  CHECK(id.get() != std::this_thread::get_id());
  const auto fault = worker.run([]() -> int { throw std::runtime_error("no"); });
  CHECK_THROWS_AS(fault.get(), std::runtime_error);
  CHECK(worker.run([] { return 7; }).get() == 7);  // and goes on
}

TEST_CASE("worker: to let go of a result waits for nothing", "[core][worker]") {
  std::atomic<bool> go = false, done = false;
  Worker worker;
  worker.run([&] {
    while (!go) std::this_thread::yield();
    done = true;
    return 0;
  });
  CHECK_FALSE(done);  // it would stand here for ever
  go = true;
}

TEST_CASE("worker: a task is done again at the time that it says, and others meanwhile", "[core][worker]") {
  using namespace std::chrono_literals;
  std::promise<void> begin, over;
  std::vector<Worker::Time> times;
  Worker worker;
  worker.post([&] { begin.get_future().wait(); });
  worker.post_again([&]() -> std::optional<Worker::Time> {
    times.push_back(Worker::Clock::now());
    if (times.size() == 3) return over.set_value(), std::nullopt;
    return times.back() + 20ms;
  });
  const auto meanwhile = worker.run([&] { return times.size(); });
  begin.set_value();
  CHECK(meanwhile.get() == 1);
  over.get_future().wait();
  worker.run([] {}).wait();
  REQUIRE(times.size() == 3);
  CHECK(times[1] - times[0] >= 20ms);
  CHECK(times[2] - times[1] >= 20ms);
}

TEST_CASE("worker: when it ends, what is to be done again is done once more, whatever the time", "[core][worker]") {
  using namespace std::chrono_literals;
  int done = 0;
  {
    Worker worker;
    worker.post_again([&]() -> std::optional<Worker::Time> {
      ++done;
      return Worker::Clock::now() + 1h;
    });
    worker.run([] {}).wait();
    CHECK(done == 1);
  }
  CHECK(done == 2);
}

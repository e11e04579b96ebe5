#include "core/work/worker.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
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

TEST_CASE("worker: tasks are done on another thread, and finish waits for those that were posted", "[core][worker]") {
  using namespace std::chrono_literals;
  Worker worker;
  std::thread::id id;
  std::atomic<bool> done = false;
  worker.post([&] {
    std::this_thread::sleep_for(20ms);
    id = std::this_thread::get_id();
    done = true;
  });
  CHECK_FALSE(done);
  worker.finish();
  CHECK(done);
  CHECK(id != std::this_thread::get_id());
}

TEST_CASE("worker: whoever waits for what a task makes true has it at once, or after their patience",
          "[core][worker]") {
  using namespace std::chrono_literals;
  Worker worker;
  std::mutex mutex;
  std::condition_variable changed;
  bool made = false, go = false;
  std::unique_lock lock(mutex);
  worker.post([&] {
    std::unique_lock mine(mutex);
    changed.wait(mine, [&] { return go; });
    made = true;
    changed.notify_all();
  });
  worker.wait(lock, changed, 5ms, [&] { return made; });
  CHECK_FALSE(made);
  go = true;
  changed.notify_all();
  worker.wait(lock, changed, [&] { return made; });
  CHECK(made);
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
  std::size_t meanwhile = 0;
  worker.post([&] { meanwhile = times.size(); });
  begin.set_value();
  over.get_future().wait();
  worker.finish();
  CHECK(meanwhile == 1);
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
    worker.finish();
    CHECK(done == 1);
  }
  CHECK(done == 2);
}

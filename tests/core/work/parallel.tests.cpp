#include "core/work/parallel.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace hydra;

TEST_CASE("parallel: every task runs once, for every count and thread count", "[core][parallel]") {
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    CHECK(pool.threads() == threads);
    for (const Index count : {0, 1, 2, 3, 7, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(count), 0);
      parallel_for(&pool, count, [&](Index k) { ++runs[static_cast<std::size_t>(k)]; });
      CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
    }
  }
}

TEST_CASE("parallel: without a pool the tasks run in order on the caller", "[core][parallel]") {
  std::vector<Index> order;
  parallel_for(nullptr, 4, [&](Index k) { order.push_back(k); });
  CHECK(order == std::vector<Index>{0, 1, 2, 3});
}

TEST_CASE("parallel: two tasks can run at the same time", "[core][parallel]") {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  pool.run(2, [&](Index) {  // each waits for the other
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  CHECK(arrived == 2);
}

TEST_CASE("parallel: rounds of every length in quick succession do not mix", "[core][parallel]") {
  ThreadPool pool(4);
  for (int round = 0; round < 5000; ++round) {
    const Index count = round % 9;
    std::atomic<Index> sum{0};  // dies with the round: a straggler would write to a dead variable
    pool.run(count, [&sum, round](Index k) { sum += k + round; });
    REQUIRE(sum == count * (count - 1) / 2 + count * round);
  }
}

TEST_CASE("parallel: what a task throws comes out of run, and the pool works on", "[core][parallel]") {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::atomic<int> started{0};
      CHECK_THROWS_WITH(pool.run(1000,
                                 [&](Index k) {
                                   ++started;
                                   if (k >= 3) throw std::runtime_error("task");
                                 }),
                        "task");
      CHECK(started >= 4);
      CHECK(started <= 3 + threads);  // each thread throws at most once, then stops
      std::atomic<int> done{0};
      pool.run(10, [&](Index) { ++done; });
      CHECK(done == 10);
    }
  }
}

TEST_CASE("parallel: pools come and go, used or not", "[core][parallel]") {
  for (int k = 0; k < 100; ++k) {
    ThreadPool unused(3);
    ThreadPool used(2);
    std::atomic<int> done{0};
    used.run(2, [&](Index) { ++done; });
    REQUIRE(done == 2);
  }
}

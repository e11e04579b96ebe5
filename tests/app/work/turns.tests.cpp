// Workers that take turns on one thread, built apart from the core, whose workers have threads.
#include "core/work/turns.h"

#include <ucontext.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/work/background_job.h"
#include "core/failure.h"
#include "core/work/parallel.h"
#include "core/work/turns/stacks.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

// Stacks by ucontext.
class Contexts final : public Stacks {
 public:
  Contexts() { use_stacks(this); }
  ~Contexts() override { use_stacks(nullptr); }

  void begin(void* work, void (*run)(void*)) override {
    Stack& stack = stacks_[work];
    stack.memory.resize(256 << 10);
    stack.run = run;
    stack.work = work;
    getcontext(&stack.own);
    stack.own.uc_stack = {.ss_sp = stack.memory.data(), .ss_flags = 0, .ss_size = stack.memory.size()};
    stack.own.uc_link = &stack.caller;
    const auto address = reinterpret_cast<std::uintptr_t>(&stack);
    makecontext(&stack.own, reinterpret_cast<void (*)()>(&enter), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
    swapcontext(&stack.caller, &stack.own);
  }
  void rest(void* work) override {
    ++rests;
    Stack& stack = stacks_[work];
    swapcontext(&stack.own, &stack.caller);
  }
  void resume(void* work) override {
    Stack& stack = stacks_[work];
    swapcontext(&stack.caller, &stack.own);
  }
  int rests = 0;

 private:
  struct Stack {
    ucontext_t own, caller;
    std::vector<char> memory;
    void (*run)(void*) = nullptr;
    void* work = nullptr;
  };
  static void enter(unsigned high, unsigned low) {
    const auto& stack = *reinterpret_cast<Stack*>((static_cast<std::uintptr_t>(high) << 32) | low);
    stack.run(stack.work);
  }
  std::map<void*, Stack> stacks_;
};

void spend(std::chrono::microseconds time) {
  const auto end = Worker::Clock::now() + time;
  while (Worker::Clock::now() < end) {
  }
}

// Turns until nobody wants one; how many they were.
int take_all(std::chrono::milliseconds slice) {
  int turns = 0;
  for (; next_turn(); ++turns) take_turn(slice);
  return turns;
}

}  // namespace

TEST_CASE("turns: what is posted waits for a turn, and is done in the order in which it was posted", "[core][turns]") {
  Worker worker;
  std::vector<int> done;
  for (int k = 0; k < 5; ++k) worker.post([&, k] { done.push_back(k); });
  CHECK(done.empty());
  CHECK(next_turn());
  take_all(5ms);
  CHECK(done == std::vector{0, 1, 2, 3, 4});
  CHECK_FALSE(next_turn());
}

TEST_CASE("turns: long work rests where it gives way, and the work of others goes on meanwhile", "[core][turns]") {
  Contexts stacks;
  Worker one, other;
  std::string order;
  const auto work = [&](char name) {
    return [&order, name] {
      std::string mine;  // on the work's own stack
      for (int k = 0; k < 20; ++k) {
        give_way();
        spend(500us);
        mine += name;
        if (order.empty() || order.back() != name) order += name;
      }
      CHECK(mine == std::string(20, name));
    };
  };
  one.post(work('a'));
  other.post(work('b'));
  const int turns = take_all(2ms);
  CHECK(turns >= 6);  // 20 ms of work by 2 ms
  CHECK(stacks.rests >= 4);
  CHECK(order.size() >= 4);  // in turn: who begins is first only where the machine lets it
}

TEST_CASE("turns: whoever waits has what is quick at once, and the rest after their patience", "[core][turns]") {
  Contexts stacks;
  Worker worker;
  std::mutex mutex;
  std::condition_variable changed;
  bool quick = false, slow = false;
  std::unique_lock lock(mutex);
  worker.post([&] { quick = true; });
  worker.wait(lock, changed, 5ms, [&] { return quick; });
  CHECK(quick);
  worker.post([&] {
    for (int k = 0; k < 40; ++k) {
      give_way();
      spend(1ms);
    }
    slow = true;
  });
  worker.wait(lock, changed, 5ms, [&] { return slow; });
  CHECK_FALSE(slow);
  lock.unlock();
  take_all(10ms);
  CHECK(slow);
}

TEST_CASE("turns: work that cannot rest ends by a sentence when it takes too long", "[core][turns]") {
  LatestRequest<int, int> newest([](int request) {
    parallel_for(nullptr, request, [](Index) { spend(1ms); });
    return request;
  });
  newest.ask(3, 200ms);
  CHECK(newest.take() == 3);
  newest.ask(5000, 0ms);
  CHECK(newest.computing());
  take_all(5ms);
  CHECK_FALSE(newest.computing());
  CHECK_FALSE(newest.take());
  CHECK(newest.take_failure() == std::string(TooLong().what()));
  newest.ask(4, 12ms);  // what took long is not waited for the next time
  CHECK_FALSE(newest.take());
  take_all(5ms);
  CHECK(newest.take() == 4);
}

TEST_CASE("turns: a job that is left by itself goes on from what it keeps, until it is told to stop", "[core][turns]") {
  struct Kept {
    int steps = 0;
  };
  using Counting = BackgroundJob<int, int, Kept>;
  Counting job;
  int turns = 0;
  const auto count = [&](const Counting::Turn& turn) {
    ++turns;
    while (turn.kept.steps < 30) {
      turn.progress().check();
      if (is_over()) throw Unfinished();
      spend(1ms);
      ++turn.kept.steps;
    }
    return turn.kept.steps;
  };
  int result = 0;
  const auto take = [&](int steps) { result = steps; };
  job.ask(1, count, 0ms);
  take_all(5ms);
  REQUIRE(job.poll(take));
  CHECK(result == 30);
  CHECK(turns >= 3);
  Counting stopped;
  stopped.ask(1, count, 0ms);
  take_turn(2ms);
  stopped.stop();
  take_all(5ms);
  CHECK_FALSE(stopped.poll(take));
  CHECK_FALSE(stopped.computing());
}

TEST_CASE("turns: what is published is waited for, its rest is done in later turns and gives way", "[core][turns]") {
  Contexts stacks;
  using Counting = BackgroundJob<int, int>;
  Counting job;
  const auto in_two_parts = [](int first, int rest) {
    return [=](const Counting::Turn& turn) {
      turn.publish(first, true);
      for (int k = 0; k < 30; ++k) turn.progress().check(), spend(1ms);
      return rest;
    };
  };
  int result = 0;
  const auto take = [&](int number) { result = number; };
  job.ask(1, in_two_parts(1, 2), 200ms);
  REQUIRE(job.poll(take));
  CHECK(result == 1);
  CHECK(job.computing());
  CHECK_FALSE(job.computing_much());
  job.stop();  // as for something newer
  job.ask(2, in_two_parts(3, 4), 200ms);
  REQUIRE(job.poll(take));
  CHECK(result == 3);
  take_all(5ms);
  REQUIRE(job.poll(take));
  CHECK(result == 4);
  CHECK_FALSE(job.computing());
}

TEST_CASE("turns: a task is done again when it says, and once more when its worker ends", "[core][turns]") {
  int done = 0;
  {
    Worker worker;
    worker.post_again([&]() -> std::optional<Worker::Time> {
      ++done;
      return Worker::Clock::now() + 1h;
    });
    worker.finish();
    CHECK(done == 1);
    REQUIRE(next_turn());
    CHECK(*next_turn() > Worker::Clock::now() + 30min);
    take_turn(5ms);
    CHECK(done == 1);
  }
  CHECK(done == 2);
}

TEST_CASE("turns: a worker that ends has its work done first, though it rests", "[core][turns]") {
  Contexts stacks;
  int steps = 0;
  {
    Worker worker;
    worker.post([&] {
      for (; steps < 20; ++steps) {
        give_way();
        spend(500us);
      }
    });
    take_turn(1ms);
    CHECK(steps < 20);
  }
  CHECK(steps == 20);
}

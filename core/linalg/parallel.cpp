#include "core/linalg/parallel.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace hydra {

namespace {

// Rounds follow each other closely, and a thread that sleeps takes longer to wake than a short one lasts: so long it
// looks for what it waits for before it sleeps.
constexpr std::chrono::microseconds kWatched{100};

template <class Happened>
void watch(const Happened& happened) {
  const auto end = std::chrono::steady_clock::now() + kWatched;
  while (!happened() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable_any work_ready;
  std::condition_variable work_done;
  const std::function<void(Index)>* task = nullptr;
  std::atomic<Index> next{0};
  Index count = 0;
  std::atomic<int> busy{0};             // workers inside the current round
  std::exception_ptr error;             // the first one thrown in the current round
  std::atomic<std::uint64_t> round{0};  // grows with every run, so a worker joins each round once
  std::vector<std::jthread> workers;    // last member: joined before the rest is destroyed

  // Called without the mutex: task and count stay as they are while a worker is busy in the round.
  void take_tasks() {
    try {
      for (Index k = next.fetch_add(1); k < count; k = next.fetch_add(1)) (*task)(k);
    } catch (...) {
      next = count;  // nobody starts another task
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  }

  void work(const std::stop_token& stop) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex, std::defer_lock);
    const auto wait_a_little = [&] {
      watch([&] { return round != seen || stop.stop_requested(); });
      lock.lock();
    };
    wait_a_little();
    // A worker that wakes after its round has ended finds no task and sleeps on; run() cannot end a round, nor begin
    // the next, while a worker is busy.
    while (work_ready.wait(lock, stop, [&] { return round != seen && task != nullptr; })) {
      seen = round;
      ++busy;
      lock.unlock();
      take_tasks();
      lock.lock();
      if (--busy == 0) work_done.notify_one();
      lock.unlock();
      wait_a_little();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  for (int k = 1; k < threads; ++k)
    state_->workers.emplace_back([s = state_.get()](const std::stop_token& stop) { s->work(stop); });
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(Index count, const std::function<void(Index)>& task) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    assert(s.task == nullptr && "run() is neither nested nor called by two threads");
    s.task = &task;
    s.count = count;
    s.next = 0;
    ++s.round;
  }
  s.work_ready.notify_all();
  s.take_tasks();
  watch([&] { return s.busy == 0; });
  std::unique_lock lock(s.mutex);
  s.work_done.wait(lock, [&] { return s.busy == 0; });
  s.task = nullptr;
  if (s.error) std::rethrow_exception(std::exchange(s.error, nullptr));
}

void parallel_for(ThreadPool* pool, Index count, const std::function<void(Index)>& task) {
  if (pool != nullptr && pool->threads() > 1 && count > 1) return pool->run(count, task);
  for (Index k = 0; k < count; ++k) task(k);
}

}  // namespace hydra

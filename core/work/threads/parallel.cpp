#include "core/work/parallel.h"

#include <algorithm>
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
  std::condition_variable work_ready;
  std::condition_variable work_done;
  const std::function<void(Index)>* task = nullptr;
  std::atomic<Index> next{0};
  Index count = 0;
  std::atomic<int> busy{0};             // workers inside the current round
  std::exception_ptr error;             // the first one thrown in the current round
  std::atomic<std::uint64_t> round{0};  // grows with every run, so a worker joins each round once
  std::atomic<bool> ending{false};
  std::vector<std::thread> workers;

  ~State() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
    }
    work_ready.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

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

  void work() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex, std::defer_lock);
    const auto wait_a_little = [&] {
      watch([&] { return round != seen || ending; });
      lock.lock();
    };
    wait_a_little();
    // A worker that wakes after its round has ended finds no task and sleeps on; run() cannot end a round, nor begin
    // the next, while a worker is busy.
    for (;;) {
      work_ready.wait(lock, [&] { return ending || (round != seen && task != nullptr); });
      if (ending) return;
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

int threads_of_the_machine() {
  const int threads = static_cast<int>(std::thread::hardware_concurrency());
#ifdef HYDRA_MOST_THREADS
  return std::clamp(threads, 1, HYDRA_MOST_THREADS);
#else
  return std::max(threads, 1);
#endif
}

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  for (int k = 1; k < threads; ++k) state_->workers.emplace_back([s = state_.get()] { s->work(); });
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

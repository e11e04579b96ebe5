#include "core/linalg/parallel.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace hydra {

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable_any work_ready;
  std::condition_variable work_done;
  const std::function<void(Index)>* task = nullptr;
  std::atomic<Index> next{0};
  Index count = 0;
  int busy = 0;                  // workers inside the current round
  std::uint64_t round = 0;       // grows with every run, so a worker joins each round once
  std::vector<std::jthread> workers;  // last member: joined before the rest is destroyed

  void take_tasks() {
    for (Index k = next.fetch_add(1); k < count; k = next.fetch_add(1)) (*task)(k);
  }

  void work(const std::stop_token& stop) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (work_ready.wait(lock, stop, [&] { return round != seen && task != nullptr; })) {
      seen = round;
      ++busy;
      lock.unlock();
      take_tasks();
      lock.lock();
      if (--busy == 0) work_done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  for (int k = 1; k < threads; ++k) state_->workers.emplace_back([s = state_.get()](const std::stop_token& stop) { s->work(stop); });
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(Index count, const std::function<void(Index)>& task) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    s.task = &task;
    s.count = count;
    s.next = 0;
    ++s.round;
  }
  s.work_ready.notify_all();
  s.take_tasks();
  std::unique_lock lock(s.mutex);
  s.work_done.wait(lock, [&] { return s.busy == 0; });
  s.task = nullptr;
}

void parallel_for(ThreadPool* pool, Index count, const std::function<void(Index)>& task) {
  if (pool != nullptr && pool->threads() > 1 && count > 1) return pool->run(count, task);
  for (Index k = 0; k < count; ++k) task(k);
}

}  // namespace hydra

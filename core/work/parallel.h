// A pool of worker threads that its owner passes in, and a loop over independent tasks. What a task computes must
// depend on its number alone, never on the thread that runs it: results are the same for every thread count.
#pragma once
#include <functional>
#include <memory>

#include "core/linalg/types.h"

namespace hydra {

// Thrown by work that ends early because it is wanted no more.
struct Stopped {};

// How many threads it gives a program, or lets it have; 1 where there are none.
int threads_of_the_machine();

class ThreadPool {
 public:
  explicit ThreadPool(int threads);  // threads in all, the caller's included; 1 makes no thread
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  int threads() const;
  // Runs task(0) .. task(count - 1), the caller helping; returns when all are done. Not for nesting. When a
  // task throws, no further ones are started and the first exception is thrown here.
  void run(Index count, const std::function<void(Index)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Serial when pool is null or there is one task.
void parallel_for(ThreadPool* pool, Index count, const std::function<void(Index)>& task);

}  // namespace hydra

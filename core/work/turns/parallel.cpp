// The loops of parallel.h where there are no threads.
#include "core/work/parallel.h"

#include "core/work/turns.h"

namespace hydra {

struct ThreadPool::State {};

int threads_of_the_machine() { return 1; }

ThreadPool::ThreadPool(int) {}
ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return 1; }

void ThreadPool::run(Index count, const std::function<void(Index)>& task) {
  for (Index k = 0; k < count; ++k) {
    give_way();
    task(k);
  }
}

void parallel_for(ThreadPool*, Index count, const std::function<void(Index)>& task) {
  for (Index k = 0; k < count; ++k) {
    give_way();
    task(k);
  }
}

}  // namespace hydra

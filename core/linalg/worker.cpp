#include "core/linalg/worker.h"

namespace hydra {

void Worker::post_again(std::function<std::optional<Time>()> task) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  tasks_.emplace(Time::min(), std::move(task));
  wanted_.notify_one();
}

void Worker::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wanted_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
    const Time due = tasks_.begin()->first;
    if (due > Clock::now() && !stop.stop_requested()) {
      wanted_.wait_until(lock, stop, due, [&] { return tasks_.begin()->first < due; });
      continue;
    }
    auto task = tasks_.extract(tasks_.begin());
    lock.unlock();
    const std::optional<Time> again = task.mapped()();
    lock.lock();
    if (!again || stop.stop_requested()) continue;
    task.key() = *again;
    tasks_.insert(std::move(task));
  }
}

}  // namespace hydra

// A thread that does one task after the other, beside whoever posts them; it begins with the first. With ThreadPool the
// only place where threads are made.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace hydra {

class Worker {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  Worker() = default;
  ~Worker() = default;  // what was posted is done first
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // What a task throws ends the program.
  template <class Task>
  void post(Task task) {
    post_again([task = std::move(task)]() mutable {
      task();
      return std::optional<Time>();
    });
  }
  // The same, with what the task gives or throws. To let go of the future waits for nothing.
  template <class Compute>
  std::shared_future<std::invoke_result_t<Compute>> run(Compute compute) {
    auto task = std::make_shared<std::packaged_task<std::invoke_result_t<Compute>()>>(std::move(compute));
    std::shared_future<std::invoke_result_t<Compute>> result = task->get_future().share();
    post([task] { (*task)(); });
    return result;
  }
  // A task that says when it is to be done again, which needs no memory; nothing: it is done. When the worker ends it
  // is done once more, whatever the time.
  void post_again(std::function<std::optional<Time>()> task);

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;  // guards what follows
  std::condition_variable_any wanted_;
  std::multimap<Time, std::function<std::optional<Time>()>> tasks_;  // by when they are due
  std::jthread thread_;                                              // last member: stops before the rest is gone
};

}  // namespace hydra

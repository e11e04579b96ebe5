// Does one task after the other, in the background. Where there are threads that is a thread
// of its own, which begins with the first task (threads/); with ThreadPool the only place where they are made. Where
// there are none, tasks are done by turns on the one thread that there is (turns/): CMake chooses (HYDRA_THREADS).
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace hydra {

class Worker {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  Worker();
  ~Worker();  // what was posted is done first
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // What a task throws ends the program.
  void post(std::function<void()> task);
  // A task that says when it is to be done again, which needs no memory; nothing: it is done. When the worker ends it
  // is done once more, whatever the time.
  void post_again(std::function<std::optional<Time>()> task);

  // For whoever posts: waits up to patience for what a task makes true. The task holds the mutex while it does, and
  // notifies changed. ends: what is under way will not go on for long.
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, std::chrono::milliseconds patience,
            const std::function<bool()>& holds, bool ends = false);
  // The same, however long it takes.
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, const std::function<bool()>& holds);
  void finish();  // returns when all tasks that were posted are done

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace hydra

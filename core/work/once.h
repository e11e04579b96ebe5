// Something that is done once, by whichever thread comes first while others wait; where doing it throws, that is thrown
// to who did it, and who comes next tries again. (std::call_once hangs under the thread sanitizer after a throw.)
#pragma once
#include <atomic>
#include <mutex>

namespace hydra {

class Once {
 public:
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  template <class Task>
  void run(const Task& task) {
    if (is_done()) return;
    const std::lock_guard lock(mutex_);
    if (is_done()) return;
    task();
    is_done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> is_done_ = false;
};

}  // namespace hydra

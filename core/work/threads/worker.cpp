#include "core/work/worker.h"

#include <map>
#include <thread>
#include <utility>

#include "core/work/turns.h"

namespace hydra {

struct Worker::State {
  std::mutex mutex;  // guards what follows
  std::condition_variable wanted;
  std::multimap<Time, std::function<std::optional<Time>()>> tasks;  // by when they are due
  bool ending = false;
  std::thread thread;

  void work();
};

Worker::Worker() : state_(std::make_unique<State>()) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
  }
  state_->wanted.notify_one();
  if (state_->thread.joinable()) state_->thread.join();
}

void Worker::post(std::function<void()> task) {
  post_again([task = std::move(task)] {
    task();
    return std::optional<Time>();
  });
}

void Worker::post_again(std::function<std::optional<Time>()> task) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (!s.thread.joinable()) s.thread = std::thread([&s] { s.work(); });
  s.tasks.emplace(Time::min(), std::move(task));
  s.wanted.notify_one();
}

void Worker::State::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    wanted.wait(lock, [&] { return ending || !tasks.empty(); });
    if (tasks.empty()) return;
    const Time due = tasks.begin()->first;
    if (due > Clock::now() && !ending) {
      wanted.wait_until(lock, due, [&] { return ending || tasks.begin()->first < due; });
      continue;
    }
    auto task = tasks.extract(tasks.begin());
    lock.unlock();
    const std::optional<Time> again = task.mapped()();
    lock.lock();
    if (!again || ending) continue;
    task.key() = *again;
    tasks.insert(std::move(task));
  }
}

void Worker::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                  std::chrono::milliseconds patience, const std::function<bool()>& holds, bool) {
  changed.wait_for(lock, patience, holds);
}

void Worker::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                  const std::function<bool()>& holds) {
  changed.wait(lock, holds);
}

void Worker::finish() {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::unique_lock lock(mutex);
  post([&] {
    const std::lock_guard told(mutex);
    done = true;
    changed.notify_one();
  });
  wait(lock, changed, [&] { return done; });
}

// --- turns.h: nobody has to take any

void give_way() {}
bool is_over() { return false; }
void rest_for(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }
std::optional<Worker::Time> next_turn() { return std::nullopt; }
void take_turn(std::chrono::milliseconds) {}

}  // namespace hydra

// Writes unsaved work into the recovery folder, beside the frame loop: at once after a quiet second, else once a
// second. What windows that died have left there is looked for at the start.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/document/history.h"
#include "core/document/recovery.h"

namespace hydra {

class RecoveryKeeper {
 public:
  // retry: what could not be written is tried again after so long, also when nothing changes.
  explicit RecoveryKeeper(std::string folder, std::chrono::milliseconds retry = std::chrono::seconds(5));
  ~RecoveryKeeper();  // what was to be kept is written first; nothing is removed

  // Exactly this is kept from now on; none: all of it was saved, or is not wanted any more.
  void keep(std::vector<History::Unsaved> unsaved);
  void finish();  // returns when everything asked for is done, without the pause between two writes

  using Found = RecoveryStore::Found;
  std::vector<Found> take_found();  // each once
  void adopt(Found found, int lineage);
  void discard(Found found);
  void release();  // what was found and not taken is left for the next window

  std::optional<std::string> take_fault();  // one sentence; told once, however often it is tried again
  // Called on another thread when something was found, or failed.
  void on_news(std::function<void()> wake);

 private:
  using Job = std::function<void(RecoveryStore&)>;
  void work(const std::stop_token& stop);
  void look(RecoveryStore& store);
  void write(RecoveryStore& store, const std::vector<History::Unsaved>& unsaved);
  void ask(Job job);
  bool run(RecoveryStore& store, const Job& job);  // false: a fault, which becomes a sentence
  void tell(const char* fault);
  // The next thing to do: a job, or what is to be kept. None: to be stopped.
  struct Task {
    Job job;
    std::optional<std::vector<History::Unsaved>> unsaved;
  };
  std::optional<Task> next(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

  std::mutex mutex_;  // guards what follows
  std::condition_variable_any wanted_;
  std::condition_variable done_;
  std::optional<std::vector<History::Unsaved>> to_keep_, failed_;  // failed_: could not be written
  std::deque<Job> jobs_;
  bool busy_ = true, hurry_ = false;
  std::vector<Found> found_;
  std::optional<std::string> fault_;
  std::function<void()> wake_;

  std::string folder_;
  std::chrono::milliseconds retry_;
  // The worker's own.
  std::map<int, History::Unsaved> written_;
  std::chrono::steady_clock::time_point rested_, again_;  // when the next write may begin, and what failed is tried
  std::string told_;                                      // the last fault of a write; empty: it succeeded
  std::jthread worker_;                                   // last member: stops before the rest is gone
};

}  // namespace hydra

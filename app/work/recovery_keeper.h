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
  explicit RecoveryKeeper(std::string folder);
  ~RecoveryKeeper();  // what was to be kept is written first; nothing is removed

  // Exactly this is kept from now on; none: all of it was saved, or is not wanted any more.
  void keep(std::vector<History::Unsaved> unsaved);
  void finish();  // returns when everything asked for is done, without the pause between two writes

  using Found = RecoveryStore::Found;
  std::vector<Found> take_found();  // each once
  void adopt(Found found, int lineage);
  void discard(Found found);
  void release();  // what was found and not taken is left for the next window

  std::optional<std::string> take_fault();  // one sentence
  // Called on another thread when something was found, or failed.
  void on_news(std::function<void()> wake);

 private:
  using Job = std::function<void(RecoveryStore&)>;
  void work(const std::stop_token& stop);
  void look(RecoveryStore& store);
  void write(RecoveryStore& store, const std::vector<History::Unsaved>& unsaved);
  void ask(Job job);
  void run(RecoveryStore& store, const Job& job);  // a fault becomes a sentence

  std::mutex mutex_;  // guards what follows
  std::condition_variable_any wanted_;
  std::condition_variable done_;
  std::optional<std::vector<History::Unsaved>> to_keep_;
  std::deque<Job> jobs_;
  bool busy_ = true, hurry_ = false;
  std::vector<Found> found_;
  std::optional<std::string> fault_;
  std::function<void()> wake_;

  std::string folder_;
  std::map<int, History::Unsaved> written_;  // the worker's own
  std::jthread worker_;                      // last member: stops before the rest is gone
};

}  // namespace hydra

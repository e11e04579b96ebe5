// Writes unsaved work into the recovery folder, in the background: at once after a quiet second, else once a
// second. What windows that died have left there is looked for at the start.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/document/edits/history.h"
#include "core/io/recovery.h"
#include "core/work/worker.h"

namespace hydra {

class RecoveryKeeper {
 public:
  // retry: what could not be written is tried again after so long, also when nothing changes.
  explicit RecoveryKeeper(std::string folder, std::chrono::milliseconds retry = std::chrono::seconds(5));
  ~RecoveryKeeper();  // what was to be kept is written first; nothing is removed

  // Spells where a document is looked at (Recovery::scene), on another thread.
  using Scene = std::function<std::string()>;
  // Exactly this is kept from now on; none: all of it was saved, or is not wanted any more. The document of that
  // lineage is looked at so, the others as when they were left; where only that is another nothing is written.
  void keep(std::vector<History::Unsaved> unsaved, int lineage = 0, Scene scene = nullptr);
  void finish();  // returns when everything asked for is done, without the pause between two writes

  using Found = RecoveryStore::Found;
  std::vector<Found> take_found();  // each once
  void adopt(Found found, int lineage);
  void discard(Found found);
  void put_aside();   // what was found and not taken stays, and is not offered again by itself
  void look_aside();  // what was put aside is found again
  std::size_t documents_aside();

  std::optional<std::string> take_fault();  // one sentence; told once, however often it is tried again
  // Called on another thread when something was found, or failed.
  void on_news(std::function<void()> wake);

 private:
  void post_write();  // with the mutex held
  // On the worker's thread.
  std::optional<Worker::Time> write_when_due(int number);
  void write(const std::vector<History::Unsaved>& unsaved);
  void look(bool put_aside);
  template <class Job>
  bool run(const Job& job);  // false: a fault, which becomes a sentence
  void tell(const char* fault);

  const std::chrono::milliseconds retry_;
  std::mutex mutex_;                                      // guards what follows
  std::optional<std::vector<History::Unsaved>> to_keep_;  // nothing: all is written
  std::map<int, Scene> scenes_;                           // of what is to be kept, by lineage
  Worker::Time due_{}, rested_{};                         // when to_keep_ is to be written; when what is new may be
  int newest_ = 0;  // of the tasks that write: the others have nothing to do any more
  std::vector<Found> found_;
  std::size_t aside_ = 0;
  std::optional<std::string> fault_;
  std::function<void()> wake_;

  // The worker's own.
  RecoveryStore store_;
  std::map<int, History::Unsaved> written_;
  std::string told_;  // the last fault of a write; empty: it succeeded
  Worker worker_;     // last member: stops before the rest is gone
};

}  // namespace hydra

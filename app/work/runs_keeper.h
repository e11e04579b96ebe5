// Runs of Learn from one window to the next: each a small file (core/learn/runs/run_file.h) in a folder of the
// program's own, written in the background. The latest kMost are kept.
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/learn/runs/run_file.h"
#include "core/work/worker.h"

namespace hydra {

class RunsKeeper {
 public:
  static constexpr std::size_t kMost = 20;
  explicit RunsKeeper(std::string folder);  // looks for what earlier windows have left

  struct Run {
    std::string id;  // by which its file is called; a later run has a later one
    learn::RunFile file;
  };
  void keep(Run run);                        // in the place of what it was
  void finish();                             // returns when all is written
  std::vector<Run> take_found();             // each once, the latest first
  std::optional<std::string> take_fault();   // one sentence, told once
  void on_news(std::function<void()> wake);  // called on another thread when something was found, or failed

 private:
  void look();
  void tell(const std::string& fault);
  std::string path_of(const std::string& id) const;

  const std::string folder_;
  std::mutex mutex_;  // guards what follows
  std::vector<Run> found_;
  std::optional<std::string> fault_;
  bool told_ = false;
  std::function<void()> wake_;
  Worker worker_;  // last member: what was to be kept is written first
};

std::string kept_runs_folder();  // within the state folder; empty where there is none

}  // namespace hydra

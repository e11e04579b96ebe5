#include "app/work/runs_keeper.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/files/bounded_file.h"
#include "core/files/state_folder.h"
#include "core/files/whole_file.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view kEnding = ".run.json";
constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of a file that is looked at

}  // namespace

std::string kept_runs_folder() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/runs";
}

RunsKeeper::RunsKeeper(std::string folder) : folder_(std::move(folder)) {
  worker_.post([this] { look(); });
}

std::string RunsKeeper::path_of(const std::string& id) const {
  return (fs::path(folder_) / (id + std::string(kEnding))).string();
}

void RunsKeeper::keep(Run run) {
  worker_.post([this, run = std::move(run)] {
    try {
      std::error_code ignored;
      fs::create_directories(folder_, ignored);
      write_whole(path_of(run.id), learn::run_file_text(run.file));
    } catch (const std::exception& fault) {
      tell(wording("work:run_not_kept", {{"fault", fault.what()}}));
    }
  });
}

void RunsKeeper::finish() { worker_.finish(); }

// What cannot be read is left where it is.
void RunsKeeper::look() {
  std::vector<std::string> ids;
  std::error_code fault;
  for (fs::directory_iterator at(folder_, fault); !fault && at != fs::directory_iterator(); at.increment(fault)) {
    const std::string name = at->path().filename().string();
    if (name.ends_with(kEnding)) ids.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::ranges::sort(ids, std::greater());
  std::vector<Run> found;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (k >= kMost) {
      fs::remove(path_of(ids[k]), fault);
      continue;
    }
    try {
      const std::string path = path_of(ids[k]);
      found.push_back({ids[k], learn::parse_run_file(read_at_most(kMostBytes, path), path)});
    } catch (const std::exception&) {
    }
  }
  const std::lock_guard lock(mutex_);
  found_ = std::move(found);
  if (!found_.empty() && wake_) wake_();
}

void RunsKeeper::tell(const std::string& fault) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(told_, true)) return;
  fault_ = fault;
  if (wake_) wake_();
}

std::vector<RunsKeeper::Run> RunsKeeper::take_found() {
  const std::lock_guard lock(mutex_);
  return std::exchange(found_, {});
}

std::optional<std::string> RunsKeeper::take_fault() {
  const std::lock_guard lock(mutex_);
  return std::exchange(fault_, std::nullopt);
}

void RunsKeeper::on_news(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

}  // namespace hydra

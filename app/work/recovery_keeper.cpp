#include "app/work/recovery_keeper.h"

#include <ctime>
#include <exception>
#include <new>
#include <utility>

namespace hydra {

namespace {
// From the beginning of a write to that of the next: with the time of the next that is all that can be lost.
constexpr std::chrono::seconds kPause{1};

bool same_work(const History::Unsaved& a, const History::Unsaved& b) {
  return a.file.path == b.file.path && a.file.content == b.file.content && same_document(a.document, b.document);
}
}  // namespace

RecoveryKeeper::RecoveryKeeper(std::string folder, std::chrono::milliseconds retry)
    : folder_(std::move(folder)), retry_(retry), worker_([this](const std::stop_token& stop) { work(stop); }) {}

RecoveryKeeper::~RecoveryKeeper() = default;

void RecoveryKeeper::keep(std::vector<History::Unsaved> unsaved) {
  const std::lock_guard lock(mutex_);
  hurry_ |= unsaved.empty();  // what is to be removed need not wait
  to_keep_ = std::move(unsaved);
  failed_.reset();
  wanted_.notify_one();
}

void RecoveryKeeper::finish() {
  std::unique_lock lock(mutex_);
  hurry_ = true;
  if (failed_) to_keep_ = std::exchange(failed_, std::nullopt);
  wanted_.notify_one();
  done_.wait(lock, [&] { return !busy_ && !to_keep_ && jobs_.empty(); });
}

std::vector<RecoveryKeeper::Found> RecoveryKeeper::take_found() {
  const std::lock_guard lock(mutex_);
  return std::exchange(found_, {});
}

std::optional<std::string> RecoveryKeeper::take_fault() {
  const std::lock_guard lock(mutex_);
  return std::exchange(fault_, std::nullopt);
}

void RecoveryKeeper::on_news(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

void RecoveryKeeper::ask(Job job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  wanted_.notify_one();
}

void RecoveryKeeper::adopt(Found found, int lineage) {
  ask([found = std::move(found), lineage](RecoveryStore& store) { store.adopt(found, lineage); });
}
void RecoveryKeeper::discard(Found found) {
  ask([found = std::move(found)](RecoveryStore& store) { store.discard(found); });
}
void RecoveryKeeper::release() {
  ask([](RecoveryStore& store) { store.release(); });
}

// --- on the worker's thread

bool RecoveryKeeper::run(RecoveryStore& store, const Job& job) {
  try {
    job(store);
    return true;
  } catch (const std::bad_alloc&) {
    tell("there is not enough memory");
  } catch (const std::exception& failed) {
    tell(failed.what());
  }
  return false;
}

void RecoveryKeeper::tell(const char* fault) {
  try {
    if (told_ == fault) return;
    std::unique_lock lock(mutex_);
    fault_ = std::string("Unsaved work is not kept for recovery: ") + fault;
    told_ = fault;
    const std::function<void()> wake = wake_;
    lock.unlock();
    if (wake) wake();
  } catch (const std::bad_alloc&) {  // told when it fails again
  }
}

void RecoveryKeeper::look(RecoveryStore& store) {
  std::vector<std::string> faults;
  std::vector<Found> found = store.claim(faults);
  std::unique_lock lock(mutex_);
  found_ = std::move(found);
  if (!faults.empty()) fault_ = "Unsaved work of another window cannot be read: " + faults.front();
  const bool news = fault_ || !found_.empty();
  const std::function<void()> wake = wake_;
  lock.unlock();
  if (news && wake) wake();
}

void RecoveryKeeper::write(RecoveryStore& store, const std::vector<History::Unsaved>& unsaved) {
  std::map<int, History::Unsaved> wanted;
  for (const History::Unsaved& work : unsaved) wanted.emplace(work.lineage, work);
  for (const auto& [id, work] : wanted) {
    const auto before = written_.find(id);
    if (before != written_.end() && same_work(before->second, work)) continue;
    store.write(id, {work.document, work.file, std::time(nullptr)});
    written_.insert_or_assign(id, work);
  }
  std::erase_if(written_, [&](const auto& entry) {
    if (wanted.contains(entry.first)) return false;
    store.remove(entry.first);
    return true;
  });
}

std::optional<RecoveryKeeper::Task> RecoveryKeeper::next(std::unique_lock<std::mutex>& lock,
                                                         const std::stop_token& stop) {
  const auto asked = [&] { return to_keep_ || !jobs_.empty(); };
  while (!asked() && failed_ && !stop.stop_requested()) {
    if (wanted_.wait_until(lock, stop, again_, asked) || stop.stop_requested()) break;
    to_keep_ = std::exchange(failed_, std::nullopt);
  }
  if (!wanted_.wait(lock, stop, asked)) return std::nullopt;
  if (jobs_.empty()) wanted_.wait_until(lock, stop, rested_, [&] { return hurry_ || !jobs_.empty(); });
  Task task;
  if (!jobs_.empty()) {
    task.job = std::move(jobs_.front());
    jobs_.pop_front();
  } else {
    task.unsaved = std::exchange(to_keep_, std::nullopt);
    hurry_ = false;
  }
  return task;
}

void RecoveryKeeper::work(const std::stop_token& stop) {
  RecoveryStore store(folder_);
  run(store, [&](RecoveryStore& s) { look(s); });
  rested_ = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  for (;;) {
    busy_ = false;
    if (!to_keep_ && jobs_.empty()) done_.notify_all();
    std::optional<Task> task = next(lock, stop);
    if (!task) return;
    busy_ = true;
    lock.unlock();
    bool kept = true;
    if (task->job) run(store, task->job);
    if (task->unsaved) {
      rested_ = std::chrono::steady_clock::now() + kPause;
      kept = run(store, [&](RecoveryStore& s) { write(s, *task->unsaved); });
      if (kept) told_.clear();
      again_ = std::chrono::steady_clock::now() + retry_;
    }
    lock.lock();
    if (!kept && !to_keep_) failed_ = std::move(task->unsaved);
  }
}

}  // namespace hydra

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

RecoveryKeeper::RecoveryKeeper(std::string folder)
    : folder_(std::move(folder)), worker_([this](const std::stop_token& stop) { work(stop); }) {}

RecoveryKeeper::~RecoveryKeeper() = default;

void RecoveryKeeper::keep(std::vector<History::Unsaved> unsaved) {
  const std::lock_guard lock(mutex_);
  hurry_ |= unsaved.empty();  // what is to be removed need not wait
  to_keep_ = std::move(unsaved);
  wanted_.notify_one();
}

void RecoveryKeeper::finish() {
  std::unique_lock lock(mutex_);
  hurry_ = true;
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

void RecoveryKeeper::run(RecoveryStore& store, const Job& job) {
  std::string fault;
  try {
    return job(store);
  } catch (const std::bad_alloc&) {
    fault = "there is not enough memory";
  } catch (const std::exception& failed) {
    fault = failed.what();
  }
  std::unique_lock lock(mutex_);
  fault_ = "Unsaved work is not kept for recovery: " + fault;
  const std::function<void()> wake = wake_;
  lock.unlock();
  if (wake) wake();
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

void RecoveryKeeper::work(const std::stop_token& stop) {
  RecoveryStore store(folder_);
  run(store, [&](RecoveryStore& s) { look(s); });
  auto rested = std::chrono::steady_clock::now();  // when the next write may begin
  std::unique_lock lock(mutex_);
  for (;;) {
    busy_ = false;
    if (!to_keep_ && jobs_.empty()) done_.notify_all();
    if (!wanted_.wait(lock, stop, [&] { return to_keep_ || !jobs_.empty(); })) return;
    if (jobs_.empty()) wanted_.wait_until(lock, stop, rested, [&] { return hurry_ || !jobs_.empty(); });
    Job job;
    std::optional<std::vector<History::Unsaved>> unsaved;
    if (!jobs_.empty()) {
      job = std::move(jobs_.front());
      jobs_.pop_front();
    } else {
      unsaved = std::exchange(to_keep_, std::nullopt);
      hurry_ = false;
    }
    busy_ = true;
    lock.unlock();
    if (job) run(store, job);
    if (unsaved) {
      rested = std::chrono::steady_clock::now() + kPause;
      run(store, [&](RecoveryStore& s) { write(s, *unsaved); });
    }
    lock.lock();
  }
}

}  // namespace hydra

#include "app/work/recovery_keeper.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <new>
#include <utility>

#include "core/text/wording.h"

namespace hydra {

namespace {
// From the beginning of a write to that of the next: with the time of the next that is all that can be lost.
constexpr std::chrono::seconds kPause{1};

bool same_work(const History::Unsaved& a, const History::Unsaved& b) {
  return a.file.path == b.file.path && a.file.content == b.file.content && same_document(a.document, b.document);
}
}  // namespace

RecoveryKeeper::RecoveryKeeper(std::string folder, std::chrono::milliseconds retry)
    : retry_(retry), store_(std::move(folder)) {
  worker_.post([this] { run([this] { look(false); }); });
}

RecoveryKeeper::~RecoveryKeeper() {
  const std::lock_guard lock(mutex_);
  due_ = {};
}

// Done after what was asked for before.
void RecoveryKeeper::post_write() {
  worker_.post_again([this, number = newest_ + 1] { return write_when_due(number); });  // which waits for the lock
  ++newest_;
}

void RecoveryKeeper::keep(std::vector<History::Unsaved> unsaved, int lineage, Scene scene) {
  const std::lock_guard lock(mutex_);
  post_write();
  scenes_[lineage] = std::move(scene);
  std::erase_if(scenes_, [&](const auto& one) {
    return std::ranges::find(unsaved, one.first, &History::Unsaved::lineage) == unsaved.end();
  });
  due_ = unsaved.empty() ? Worker::Time() : rested_;  // what is to be removed need not wait
  to_keep_ = std::move(unsaved);
}

void RecoveryKeeper::finish() {
  {
    const std::lock_guard lock(mutex_);
    post_write();
    due_ = {};
  }
  worker_.finish();
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

void RecoveryKeeper::adopt(Found found, int lineage) {
  {
    const std::lock_guard lock(mutex_);
    scenes_[lineage] = [text = found.recovery.scene] { return text; };
  }
  worker_.post([this, found = std::move(found), lineage] { run([&] { store_.adopt(found, lineage); }); });
}
void RecoveryKeeper::discard(Found found) {
  worker_.post([this, found = std::move(found)] { run([&] { store_.discard(found); }); });
}
void RecoveryKeeper::put_aside() {
  worker_.post([this] {
    run([&] {
      store_.put_aside();
      const std::size_t aside = store_.documents_aside();
      const std::lock_guard lock(mutex_);
      aside_ = aside;
    });
  });
}
void RecoveryKeeper::look_aside() {
  worker_.post([this] { run([this] { look(true); }); });
}
std::size_t RecoveryKeeper::documents_aside() {
  const std::lock_guard lock(mutex_);
  return aside_;
}

// --- on the worker's thread

template <class Job>
bool RecoveryKeeper::run(const Job& job) {
  try {
    job();
    return true;
  } catch (const std::bad_alloc&) {
    tell(wording("work:no_memory").c_str());
  } catch (const std::exception& failed) {
    tell(failed.what());
  }
  return false;
}

void RecoveryKeeper::tell(const char* fault) {
  try {
    if (told_ == fault) return;
    std::unique_lock lock(mutex_);
    fault_ = wording("work:not_kept", {{"fault", fault}});
    told_ = fault;
    const std::function<void()> wake = wake_;
    lock.unlock();
    if (wake) wake();
  } catch (const std::bad_alloc&) {  // told when it fails again
  }
}

void RecoveryKeeper::look(bool put_aside) {
  std::vector<std::string> faults;
  std::vector<Found> found = store_.claim(faults, put_aside);
  const std::size_t aside = store_.documents_aside();
  std::unique_lock lock(mutex_);
  found_ = std::move(found);
  aside_ = aside;
  if (!faults.empty()) fault_ = wording("work:not_read", {{"fault", faults.front()}});
  const bool news = fault_ || !found_.empty() || aside > 0;
  const std::function<void()> wake = wake_;
  lock.unlock();
  if (news && wake) wake();
}

void RecoveryKeeper::write(const std::vector<History::Unsaved>& unsaved) {
  const std::map<int, Scene> scenes = [&] {
    const std::lock_guard lock(mutex_);
    return scenes_;
  }();
  std::map<int, History::Unsaved> wanted;
  for (const History::Unsaved& work : unsaved) wanted.emplace(work.lineage, work);
  for (const auto& [id, work] : wanted) {
    const auto before = written_.find(id);
    if (before != written_.end() && same_work(before->second, work)) continue;
    const auto scene = scenes.find(id);
    const bool known = scene != scenes.end() && scene->second;
    store_.write(id, {work.document, work.file, std::time(nullptr), known ? scene->second() : ""});
    written_.insert_or_assign(id, work);
  }
  std::erase_if(written_, [&](const auto& entry) {
    if (wanted.contains(entry.first)) return false;
    store_.remove(entry.first);
    return true;
  });
}

// What could not be written is tried again.
std::optional<Worker::Time> RecoveryKeeper::write_when_due(int number) {
  std::unique_lock lock(mutex_);
  if (number != newest_ || !to_keep_) return std::nullopt;
  const Worker::Time now = Worker::Clock::now();
  if (now < due_) return due_;
  std::vector<History::Unsaved> unsaved = std::move(*to_keep_);
  to_keep_.reset();
  rested_ = now + kPause;
  lock.unlock();
  const bool kept = run([&] { write(unsaved); });
  if (kept) told_.clear();
  lock.lock();
  if (kept) return std::nullopt;
  if (!to_keep_) to_keep_ = std::move(unsaved);
  if (number != newest_) return std::nullopt;
  return due_ = std::max(rested_, Worker::Clock::now() + retry_);
}

}  // namespace hydra

#include "core/files/temporary_name.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>
#include <utility>

namespace hydra {

namespace {

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

// Read by the handler: pointers only, each whole or null.
std::array<std::atomic<const char*>, 16> names;
static_assert(std::atomic<const char*>::is_always_lock_free);

void remove_and_end(int signal) {
  for (const std::atomic<const char*>& name : names)
    if (const char* path = name.load()) ::unlink(path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::mutex mutex;  // guards the handlers and used
int used = 0;

void handle(bool on) {
  for (const int signal : kEndingSignals) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler != (on ? SIG_DFL : remove_and_end)) continue;
    now.sa_handler = on ? remove_and_end : SIG_DFL;
    ::sigaction(signal, &now, nullptr);
  }
}

}  // namespace

TemporaryName::TemporaryName(std::string path) : path_(std::move(path)) {
  const std::lock_guard lock(mutex);
  for (std::size_t k = 0; k < names.size() && slot_ < 0; ++k) {
    const char* free = nullptr;
    if (names[k].compare_exchange_strong(free, path_.c_str())) slot_ = static_cast<int>(k);
  }
  if (used++ == 0) handle(true);
}

TemporaryName::~TemporaryName() {
  if (!path_.empty()) ::unlink(path_.c_str());
  keep();
}

void TemporaryName::keep() {
  if (path_.empty()) return;
  const std::lock_guard lock(mutex);
  if (slot_ >= 0) names[static_cast<std::size_t>(slot_)] = nullptr;
  if (--used == 0) handle(false);
  path_.clear();
}

}  // namespace hydra

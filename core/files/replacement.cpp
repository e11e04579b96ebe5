#include "core/files/replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>

namespace hydra {

namespace {

std::atomic<bool> named_only = false;
std::atomic<unsigned> count = 0;

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string name_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

// A file without a name in the folder; -1 where there are none, or no way to give it one later.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  if (named_only) return -1;
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0 && ::access(name_of(file).c_str(), F_OK) != 0) {
    ::close(file);
    return -1;
  }
  return file;
#else
  return -1;
#endif
}

// While it lives, no signal ends the process between two steps that belong together.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

// That the new name survives a power cut; not every file system can say so.
void flush_folder(const std::string& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.open()) ::fsync(file.number());
}

}  // namespace

void name_every_temporary(bool on) { named_only = on; }

Replacement::Replacement(const std::string& target) : target_(target) {
  const int nameless = open_nameless(folder_of(target));
  if (nameless >= 0) {
    file_.emplace(nameless);
    return;
  }
  std::string path = target + ".XXXXXX";
  file_.emplace(::mkostemp(path.data(), O_CLOEXEC));
  const int why = errno;
  if (file_->open()) name_.emplace(std::move(path));
  errno = why;
}

void Replacement::write(std::string_view bytes) {
  if (!write_all(file_->number(), bytes)) fail_to_write(target_);
}

// A link cannot replace a file, and a rename can.
bool Replacement::take_the_place() {
  const NoSignals no_signals;
  if (!name_) {
    const std::string nameless = name_of(file_->number());
    const auto link = [&](const std::string& path) {
      return ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link(target_)) return true;
    std::string path;
    do {
      if (errno != EEXIST) return false;
      path = target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(++count);
    } while (!link(path));
    name_.emplace(std::move(path));
  }
  if (::rename(name_->path().c_str(), target_.c_str()) != 0) return false;
  name_->keep();
  return true;
}

void Replacement::finish(mode_t mode) {
  const bool written = ::fchmod(file_->number(), mode) == 0 && ::fsync(file_->number()) == 0 && take_the_place();
  if (!written) fail_to_write(target_);
  file_->close();  // what fsync has said stands
  flush_folder(folder_of(target_));
}

}  // namespace hydra

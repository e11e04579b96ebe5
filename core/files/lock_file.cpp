#include "core/files/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace hydra {

namespace {

// Whether the path still names the open file: whoever held it before may have removed it.
bool still_there(const std::string& path, int file) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

std::optional<LockFile> LockFile::take(const std::string& path) {
  for (;;) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) throw InputError(path + ": cannot be made: " + std::strerror(errno));
    LockFile lock(path, file);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      throw InputError(path + ": cannot be locked: " + std::strerror(errno));
    }
    if (still_there(path, file)) return lock;
  }
}

LockFile::LockFile(LockFile&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

LockFile& LockFile::operator=(LockFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

LockFile::~LockFile() {
  if (file_ >= 0) ::close(file_);
}

void LockFile::remove() { ::unlink(path_.c_str()); }

}  // namespace hydra

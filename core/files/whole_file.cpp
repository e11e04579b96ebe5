// Files read and written as a whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/files/json.h"
#include "core/files/whole_file.h"

namespace hydra {

namespace {

// A descriptor that is closed at the end of its scope, unless it is one of the standard streams.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number <= STDERR_FILENO || ::close(number) == 0;
  }

 private:
  int number_;
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError(printable(path, 200) + ": " + what);
}

std::string reason() { return std::strerror(errno); }

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_in_place(const std::string& path, const std::function<void(const Sink&)>& write) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard output" : path;
  Descriptor file(standard ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) fail(name, "cannot be written: " + reason());
  write([&](std::string_view bytes) {
    if (!write_all(file.number(), bytes)) fail(name, "cannot be written: " + reason());
  });
  if (!file.close()) fail(name, "cannot be written: " + reason());
}

// The new file beside the old one, removed again unless it took the old one's place.
class Replacement {
 public:
  explicit Replacement(const std::string& target)
      : target_(target), temporary_(target + ".XXXXXX"), file_(::mkostemp(temporary_.data(), O_CLOEXEC)) {
    if (!file_.open()) fail(target_, "cannot be written: " + reason());
  }
  ~Replacement() {
    if (!done_) ::unlink(temporary_.c_str());
  }
  void write(std::string_view bytes) {
    if (!write_all(file_.number(), bytes)) fail(target_, "cannot be written: " + reason());
  }
  void finish(mode_t mode) {
    const bool written = ::fchmod(file_.number(), mode) == 0 && ::fsync(file_.number()) == 0 && file_.close() &&
                         ::rename(temporary_.c_str(), target_.c_str()) == 0;
    if (!written) fail(target_, "cannot be written: " + reason());
    done_ = true;
  }

 private:
  std::string target_, temporary_;
  Descriptor file_;
  bool done_ = false;
};

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::string read_whole(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  if (!standard && is_directory(path)) fail(name, "is a directory, and a document is a file");
  Descriptor file(standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail(name, "cannot be read: " + reason());
  std::string bytes;
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && status.st_size > 0 && status.st_size <= static_cast<off_t>(kMaxFileBytes))
    bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);
  std::string piece(1u << 18, '\0');
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(name, "cannot be read: " + reason());
    if (count == 0) return bytes;
    bytes.append(piece, 0, static_cast<std::size_t>(count));
    if (bytes.size() > kMaxFileBytes)
      fail(name, "larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB, the most that a document can have");
  }
}

void write_whole(const std::string& path, const std::function<void(const Sink&)>& write) {
  if (path.empty()) fail("the file", "has no name");
  if (is_directory(path)) fail(path, "is a directory, and a file is needed");
  struct stat status {};
  const bool exists = path != "-" && ::stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) return write_in_place(path, write);
  std::error_code fault;
  const std::string target =
      exists ? std::filesystem::canonical(path, fault).string() : path;  // through symbolic links
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, "cannot be written: " + reason());
  Replacement file(fault ? path : target);
  write([&](std::string_view bytes) { file.write(bytes); });
  file.finish(exists ? status.st_mode & 07777 : usual_mode());
}

void write_whole(const std::string& path, std::string_view bytes) {
  write_whole(path, [&](const Sink& sink) { sink(bytes); });
}

}  // namespace hydra

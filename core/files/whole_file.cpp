// Files read and written as a whole.
#include "core/files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "core/error.h"
#include "core/files/bounded_file.h"
#include "core/files/in_place.h"
#include "core/files/printable.h"
#include "core/files/replacement.h"

namespace hydra {

namespace {

[[noreturn]] void fail_at(const std::string& path, const std::string& what) {
  throw InputError(printable(path, 200) + ": " + what);
}

}  // namespace

bool Descriptor::close() {
  const int number = std::exchange(number_, -1);
  return number <= STDERR_FILENO || ::close(number) == 0;
}

void fail_to_write(const std::string& path, const std::string& why) {
  fail_at(path, "cannot be written: " + (why.empty() ? std::strerror(errno) : why));
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

namespace {

// Of what has no size before it ends, as a pipe.
constexpr std::uint64_t kMostStreamed = 1u << 30;

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

// Asked once: the mask can only be read by setting it, and other threads write files too.
mode_t usual_mode() {
  static const mode_t mode = [] {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
  }();
  return mode;
}

}  // namespace

std::string read_whole(const std::string& path) { return read_at_most(kMaxFileBytes, path); }

std::string read_at_most(std::uint64_t most_bytes, const std::string& path) try {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  if (!standard && is_directory(path)) fail_at(name, "is a directory, and a document is a file");
  Descriptor file(standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail_at(name, "cannot be read: " + std::string(std::strerror(errno)));
  std::string bytes;
  struct stat status {};
  const bool known = ::fstat(file.number(), &status) == 0;
  const bool device = known && (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(file.number()) == 0));
  // One that has nothing to say is not waited for.
  if (device) ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) | O_NONBLOCK);
  if (known && !S_ISREG(status.st_mode)) most_bytes = std::min<std::uint64_t>(most_bytes, kMostStreamed);
  const auto check_size = [&](std::uint64_t size) {
    if (size > most_bytes)
      fail_at(name, "larger than " + std::to_string(most_bytes >> 20) + " MiB, the most that it can need");
  };
  if (known && status.st_size > 0) {
    check_size(static_cast<std::uint64_t>(status.st_size));
    bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  std::string piece(1u << 18, '\0');
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count != 0 && device) fail_at(name, "is a device, and a document is a file");
    if (count < 0) fail_at(name, "cannot be read: " + std::string(std::strerror(errno)));
    if (count == 0) return bytes;
    bytes.append(piece, 0, static_cast<std::size_t>(count));
    check_size(bytes.size());
  }
} catch (const std::bad_alloc&) {
  fail_at(path == "-" ? "standard input" : path, "is larger than there is memory for");
}

void write_whole(const std::string& path, const std::function<void(const Sink&)>& write) {
  if (path.empty()) fail_at("the file", "has no name");
  if (is_directory(path)) fail_at(path, "is a directory, and a file is needed");
  struct stat status {};
  const bool exists = path != "-" && ::stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) return write_through(path, write);
  if (exists && ::access(path.c_str(), W_OK) != 0) fail_to_write(path);
  std::error_code fault;
  const std::string target =
      exists ? std::filesystem::canonical(path, fault).string() : path;  // through symbolic links
  Replacement file(fault ? path : target);
  if (!file.begun() && exists && (errno == EACCES || errno == EPERM)) return write_over(path, write);
  if (!file.begun()) fail_to_write(path);
  write([&](std::string_view bytes) { file.write(bytes); });
  file.finish(exists ? status.st_mode & 07777 : usual_mode());
}

void write_whole(const std::string& path, std::string_view bytes) {
  write_whole(path, [&](const Sink& sink) { sink(bytes); });
}

}  // namespace hydra

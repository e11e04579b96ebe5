#include "core/files/in_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/error.h"
#include "core/files/descriptor.h"
#include "core/files/printable.h"
#include "core/files/state_folder.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

// The state folder; where there is none, where temporaries are.
std::string folder_of_copies() {
  const std::string state = state_folder();
  std::error_code fault;
  return state.empty() ? fs::temp_directory_path(fault).string() : state;
}

// From the one's beginning to the other's place; false with errno.
bool copy_bytes(int from, int to) {
  char piece[1u << 14];  // on the stack: it must work where memory is out
  if (::lseek(from, 0, SEEK_SET) < 0) return false;
  for (;;) {
    const ssize_t count = ::read(from, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return true;
    if (!write_all(to, std::string_view(piece, static_cast<std::size_t>(count)))) return false;
  }
}

// The content ends where the last write ended, and is on the disk.
bool end_here(int file) {
  const off_t size = ::lseek(file, 0, SEEK_CUR);
  return size >= 0 && ::ftruncate(file, size) == 0 && ::fsync(file) == 0;
}

// The old content, as long as the new one is not whole.
class Copy {
 public:
  explicit Copy(const std::string& path)
      : path_(folder_of_copies() + "/" + fs::path(path).filename().string() + ".XXXXXX") {
    std::error_code ignored;
    fs::create_directories(fs::path(path_).parent_path(), ignored);
    file_.emplace(::mkostemp(path_.data(), O_CLOEXEC));
    const Descriptor old(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file_->open() && old.open() && copy_bytes(old.number(), file_->number()) && ::fsync(file_->number()) == 0)
      return;
    const std::string why = std::strerror(errno);
    remove();
    fail_to_write(path, "its folder lets no file be made, and no copy could be kept while it is written (" + why + ")");
  }
  const std::string& path() const { return path_; }
  bool put_back(int file) const {
    return ::lseek(file, 0, SEEK_SET) == 0 && copy_bytes(file_->number(), file) && end_here(file);
  }
  void remove() const {
    if (file_->open()) ::unlink(path_.c_str());
  }

 private:
  std::string path_;
  std::optional<Descriptor> file_;
};

}  // namespace

void write_through(const std::string& path, const std::function<void(const Sink&)>& write) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard output" : path;
  Descriptor file(standard ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) fail_to_write(name);
  write([&](std::string_view bytes) {
    if (!write_all(file.number(), bytes)) fail_to_write(name);
  });
  if (!file.close()) fail_to_write(name);
}

void write_over(const std::string& path, const std::function<void(const Sink&)>& write) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) fail_to_write(path);
  const Copy copy(path);
  try {
    write([&](std::string_view bytes) {
      if (!write_all(file.number(), bytes)) fail_to_write(path);
    });
    if (!end_here(file.number())) fail_to_write(path);
  } catch (const std::exception& fault) {
    if (!copy.put_back(file.number()))
      throw InputError(std::string(fault.what()) + "; what it held before is in " + printable(copy.path(), 200));
    copy.remove();
    throw;
  }
  copy.remove();
}

}  // namespace hydra

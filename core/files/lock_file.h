// A file that one process holds as long as it lives: the system lets go of it when the process ends, however it ends.
#pragma once
#include <optional>
#include <string>

namespace hydra {

class LockFile {
 public:
  // Makes the file when it is not there. Nothing: another process holds it. Throws InputError where it cannot be made.
  static std::optional<LockFile> take(const std::string& path);
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&& other) noexcept;
  ~LockFile();    // lets go; the file stays
  void remove();  // the file as well

 private:
  LockFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_;
};

}  // namespace hydra

// The name of a file that must not stay behind: removed when this goes, and when SIGINT, SIGTERM or SIGHUP would end
// the process. Where the program handles such a signal itself, that is left to it. For .cpp files of this folder only.
#pragma once
#include <string>

namespace hydra {

class TemporaryName {
 public:
  explicit TemporaryName(std::string path);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  const std::string& path() const { return path_; }
  void keep();  // it is no temporary any more

 private:
  std::string path_;
  int slot_ = -1;  // among the names that a signal removes; -1: none was free
};

}  // namespace hydra

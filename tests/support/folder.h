// A folder of a test's own, gone afterwards.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace hydra {

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hydrascope_test.XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::filesystem::path path;
};

inline std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace hydra

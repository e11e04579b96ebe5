// The files of a page are in its memory. The page lays down what was picked or dropped, hands over as a download what
// is saved, and keeps what is written into /unsaved in the browser's storage (files.js, storage.js).
#include "app/platform/files.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/platform/web/bridge.h"

namespace hydra {

std::string unsaved_work_folder() { return "/unsaved"; }

std::string font_file(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string path = std::string("/fonts/") + name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return {};
}

const bool kSystemPicksFiles = true;
bool system_picks_file(bool text) {
  hydra_pick_file(text);
  return true;
}

bool open_shipped(const char* name, const std::string& link) {
  hydra_open_shipped(name, link.c_str());
  return true;
}

std::string fetched_example(const std::string& name) {
  std::ifstream file("/examples/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void let_go(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace hydra

// Saving and opening by name, through the whole program.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/document/file.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

namespace fs = std::filesystem;

// A folder of its own, gone afterwards.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("hydrascope_dialog_" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string file(const std::string& name) const { return (path / name).string(); }
  fs::path path;
};

void type_path(Session& s, const std::string& path) {
  s.ui.frames(2);
  s.ui.click("file/path");
  s.ui.key(key::letter('a'), true);
  s.ui.type(path);
}

void save_as(Session& s, const std::string& path) {
  s.ui.key(key::letter('s'), true, true);
  type_path(s, path);
  s.ui.click("file/ok");
  s.ui.frames(2);
}

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("file dialog: a document is saved under a name and opened again", "[app][files]") {
  const Folder folder;
  Session s;
  s.ui.click("model/heads/4");
  save_as(s, folder.file("a.json"));
  CHECK_FALSE(s.ui.exists("file/path"));
  CHECK(same_document(read_document(folder.file("a.json")), s.document()));
  s.ui.click("model/heads/2");
  s.ui.click("open");
  type_path(s, folder.file("a.json"));
  s.ui.click("file/ok");
  s.ui.frames(3);
  CHECK(s.layer().heads == 4);
}

TEST_CASE("file dialog: another file is replaced only when that was said twice", "[app][files]") {
  const Folder folder;
  std::ofstream(folder.file("other.json")) << "somebody's";
  Session s;
  save_as(s, folder.file("other.json"));
  CHECK(s.ui.exists("file/path"));  // it asks
  CHECK(content(folder.file("other.json")) == "somebody's");
  SECTION("another name asks anew") {
    type_path(s, folder.file("mine.json"));
    s.ui.click("file/ok");
    s.ui.frames(2);
    CHECK_FALSE(s.ui.exists("file/path"));
    CHECK(fs::exists(folder.file("mine.json")));
    CHECK(content(folder.file("other.json")) == "somebody's");
    save_as(s, folder.file("mine.json"));  // its own
    CHECK_FALSE(s.ui.exists("file/path"));
  }
  SECTION("cancel leaves it") {
    s.ui.click("file/cancel");
    s.ui.frames(2);
    CHECK(content(folder.file("other.json")) == "somebody's");
  }
  SECTION("once more replaces it") {
    s.ui.click("file/ok");
    s.ui.frames(2);
    CHECK_FALSE(s.ui.exists("file/path"));
    CHECK(same_document(read_document(folder.file("other.json")), s.document()));
  }
}

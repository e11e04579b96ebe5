#include "core/io/recovery.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/error.h"
#include "core/io/file.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/folder.h"

using namespace hydra;

namespace {

Recovery some_work(Index heads = 4) {
  return {
      apply(default_document(), SetHeads{heads}), {"/lessons/a lesson “one”.json", {12345678901, ~0ull}}, 1795310000};
}

std::size_t files_in(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator it(folder, ignored), end; it != end; ++it) ++count;
  return count;
}

}  // namespace

TEST_CASE("recovery: a file says what the work is and where it belongs", "[core][recovery]") {
  Random random(11);
  Recovery work = some_work();
  for (int k = 0; k < 40; ++k) {
    try {
      work.document = hydra::apply(work.document, random_edit(random, work.document));
    } catch (const InputError&) {
    }
    const Recovery read = parse_recovery(recovery_text(work), "x");
    CHECK(same_document(read.document, work.document));
    CHECK(read.file.path == work.file.path);
    CHECK(read.file.content == work.file.content);
    CHECK(read.written == work.written);
  }
  work.file = {};
  CHECK(parse_recovery(recovery_text(work), "x").file.path.empty());
}

TEST_CASE("recovery: where it was looked at is kept, or passed over, the document is whole", "[core][recovery]") {
  Recovery work = some_work();
  const std::string old = recovery_text(work);
  CHECK(parse_recovery(old, "x").scene.empty());
  work.scene = R"({"place":{"view":"roles"},"choices":{}})";
  const std::string text = recovery_text(work);
  CHECK(parse_recovery(text, "x").scene == work.scene);
  const std::size_t begin = text.find('\n') + 1;
  for (std::size_t k = 0; k < work.scene.size(); ++k) {
    std::string damaged = text;
    k % 2 ? void(damaged[begin + k] ^= 4) : void(damaged.erase(begin + k, 1));
    const Recovery read = parse_recovery(damaged, "x");
    CHECK(read.scene.empty());
    CHECK(same_document(read.document, work.document));
  }
  for (const std::string& none : {std::string(Recovery::kMostScene + 1, ' '), std::string("two\nlines")}) {
    work.scene = none;
    CHECK(recovery_text(work) == old);
  }
}

TEST_CASE("recovery: what is cut off or something else is refused in one sentence", "[core][recovery]") {
  const std::string whole = recovery_text(some_work());
  for (std::size_t length = 0; length < whole.size() - 2; length += 7)
    CHECK_THROWS_AS(parse_recovery(whole.substr(0, length), "x"), InputError);
  CHECK_THROWS_AS(parse_recovery(document_text(default_document()), "x"), InputError);
  CHECK_THROWS_AS(parse_recovery("[]", "x"), InputError);
}

TEST_CASE("recovery: the work of a window that lives is nobody else's", "[core][recovery]") {
  const Folder folder;
  std::vector<std::string> faults;
  RecoveryStore other(folder.file("state"));
  {
    RecoveryStore window(folder.file("state"));
    window.write(0, some_work());
    CHECK(other.claim(faults).empty());
  }  // it dies: nothing is removed
  const std::vector<RecoveryStore::Found> found = other.claim(faults);
  REQUIRE(found.size() == 1);
  CHECK(same_document(found[0].recovery.document, some_work().document));
  CHECK(found[0].recovery.written == some_work().written);
  RecoveryStore third(folder.file("state"));
  CHECK(third.claim(faults).empty());  // one has claimed it
  other.release();
  CHECK(third.claim(faults).size() == 1);
  CHECK(faults.empty());
}

TEST_CASE("recovery: what is saved or discarded leaves nothing behind", "[core][recovery]") {
  const Folder folder;
  std::vector<std::string> faults;
  RecoveryStore window(folder.file("state"));
  CHECK(window.claim(faults).empty());
  CHECK_FALSE(std::filesystem::exists(folder.file("state")));
  window.write(0, some_work());
  window.write(3, some_work(2));
  window.write(0, some_work(1));
  CHECK(files_in(folder.file("state")) == 3);
  window.remove(0);
  window.remove(3);
  CHECK(files_in(folder.file("state")) == 0);
  {
    RecoveryStore dying(folder.file("state"));
    dying.write(0, some_work());
    dying.write(1, some_work(2));
    std::ofstream(folder.file("state/" +
                              std::filesystem::directory_iterator(folder.file("state"))->path().stem().stem().string() +
                              ".0.json.Xy12Ab"))
        << "{cut off";
  }
  std::vector<RecoveryStore::Found> found = window.claim(faults);
  REQUIRE(found.size() == 2);
  window.discard(found[0]);
  CHECK(files_in(folder.file("state")) > 0);
  window.adopt(found[1], 7);
  CHECK(files_in(folder.file("state")) == 2);  // ours, and our lock
  window.remove(7);
  CHECK(files_in(folder.file("state")) == 0);
}

TEST_CASE("recovery: work that was adopted is found when the adopter dies", "[core][recovery]") {
  const Folder folder;
  std::vector<std::string> faults;
  { RecoveryStore(folder.file("state")).write(0, some_work()); }
  {
    RecoveryStore second(folder.file("state"));
    second.adopt(second.claim(faults).at(0), 2);
  }
  RecoveryStore third(folder.file("state"));
  const std::vector<RecoveryStore::Found> found = third.claim(faults);
  REQUIRE(found.size() == 1);
  CHECK(same_document(found[0].recovery.document, some_work().document));
}

TEST_CASE("recovery: what stands in its file by now is not offered", "[core][recovery]") {
  const Folder folder;
  std::vector<std::string> faults;
  Recovery work = some_work();
  work.file.path = folder.file("lesson.json");
  { RecoveryStore(folder.file("state")).write(0, work); }
  write_document(work.document, work.file.path);
  CHECK(RecoveryStore(folder.file("state")).claim(faults).empty());
  CHECK(files_in(folder.file("state")) == 0);
}

TEST_CASE("recovery: of very many the latest are offered, and the others wait", "[core][recovery]") {
  const Folder folder;
  const std::size_t windows = 100;
  const std::string text = recovery_text(some_work());
  std::filesystem::create_directories(folder.file("state"));
  const auto start = std::filesystem::file_time_type::clock::now();
  for (std::size_t k = 0; k < windows; ++k) {
    const std::string name = folder.file("state") + "/" + std::to_string(1000 + k) + "-a";
    for (const char* kind : {".1.json", ".2.json"}) {
      write_whole(name + kind, text);
      std::filesystem::last_write_time(name + kind, start + std::chrono::seconds(k));
    }
    write_whole(name + ".lock", "");
  }
  write_whole(folder.file("state") + "/7-b.lock", "");
  std::vector<std::string> faults;
  RecoveryStore store(folder.file("state"));
  std::vector<RecoveryStore::Found> found = store.claim(faults);
  CHECK(faults.empty());
  REQUIRE(found.size() == RecoveryStore::kMostFound);
  CHECK(found.front().waiting == 2 * windows - found.size());
  for (const RecoveryStore::Found& one : found) {
    const std::string name = std::filesystem::path(one.path).filename().string();
    CHECK(std::stoul(name) >= 1000 + windows - found.size() / 2);
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("state") + "/7-b.lock"));
  CHECK(files_in(folder.file("state")) == 3 * windows);
  for (const RecoveryStore::Found& one : found) store.discard(one);
  CHECK(files_in(folder.file("state")) == 3 * windows - 3 * found.size() / 2);
  RecoveryStore next(folder.file("state"));
  CHECK(next.claim(faults).front().waiting == 2 * windows - 2 * found.size());
}

TEST_CASE("recovery: a broken file is reported and kept", "[core][recovery]") {
  const Folder folder;
  std::filesystem::create_directories(folder.file("state"));
  std::ofstream(folder.file("state/1-1.0.json")) << "{}";
  std::vector<std::string> faults;
  CHECK(RecoveryStore(folder.file("state")).claim(faults).empty());
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].find("1-1.0.json") != std::string::npos);
  CHECK(content_of(folder.file("state/1-1.0.json")) == "{}");
}

TEST_CASE("recovery: the state folder follows the platform's convention", "[core][recovery]") {
#ifndef __APPLE__
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  const auto set = [](const char* name, const std::optional<std::string>& value) {
    value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  };
  const auto home = variable("HOME"), state = variable("XDG_STATE_HOME");
  set("HOME", "/home/somebody");
  set("XDG_STATE_HOME", "/elsewhere");
  CHECK(state_folder() == "/elsewhere/hydrascope");
  set("XDG_STATE_HOME", "relative");
  CHECK(state_folder() == "/home/somebody/.local/state/hydrascope");
  set("XDG_STATE_HOME", std::nullopt);
  CHECK(state_folder() == "/home/somebody/.local/state/hydrascope");
  CHECK(recovery_folder() == "/home/somebody/.local/state/hydrascope/recovery");
  set("HOME", std::nullopt);
  CHECK((state_folder().empty() || state_folder().front() == '/'));  // from the user database, or nowhere
  set("HOME", home);
  set("XDG_STATE_HOME", state);
#endif
}

// Files written whole or not at all, whatever the folder, the file system and the signals do.
#include "core/files/whole_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/error.h"
#include "core/files/replacement.h"
#include "core/text/annotated.h"

using namespace hydra;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("hydrascope-files-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    ::chmod((path / "closed").c_str(), 0755);
    fs::remove_all(path);
  }
  std::string operator/(const char* name) const { return (path / name).string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(path), {}); }
};

// In a process of its own, as a user who is not root; what it returns is the exit code, -1 for an end by a signal.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(99);
    int code = 98;
    try {
      code = work();
    } catch (const std::exception&) {
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Writes, tells the parent when half is there, and waits for a signal.
void write_and_wait(const std::string& path, int half_written) {
  write_whole(path, [&](const Sink& sink) {
    sink("half of the new");
    (void)!::write(half_written, "x", 1);
    for (;;) ::pause();
  });
}

// The signal comes in the middle of writing; how many files are left beside.
std::ptrdiff_t left_after(int signal, const Folder& folder) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::signal(each, SIG_DFL);  // the test runner has its own
    write_and_wait(folder / "a.json", ends[1]);
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(ends[0], &byte, 1) == 1);
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == signal);
  ::close(ends[0]);
  ::close(ends[1]);
  return folder.files() - 1;
}

}  // namespace

TEST_CASE("files: a signal in the middle of writing leaves the old file and nothing beside", "[core][files]") {
  const bool named = GENERATE(false, true);
  CAPTURE(named);
  const Folder folder;
  write_whole(folder / "a.json", "old");
  name_every_temporary(named);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) CHECK(left_after(signal, folder) == 0);
  const bool nameless = !named && ::open(folder.path.c_str(), O_TMPFILE | O_WRONLY, 0600) >= 0;
  if (nameless) CHECK(left_after(SIGKILL, folder) == 0);
  name_every_temporary(false);
  CHECK(read_whole(folder / "a.json") == "old");
}

TEST_CASE("files: without files that have no name, the same promises hold", "[core][files]") {
  const Folder folder;
  const std::string path = folder / "a.json";
  for (const bool named : {false, true}) {
    name_every_temporary(named);
    fs::remove(path);
    write_whole(path, "first");
    CHECK(read_whole(path) == "first");
    ::chmod(path.c_str(), 0640);
    write_whole(path, "second");
    CHECK(read_whole(path) == "second");
    CHECK((fs::status(path).permissions() & fs::perms::all) == fs::perms(0640));
    CHECK_THROWS_WITH(write_whole(path,
                                  [](const Sink& sink) {
                                    sink("half");
                                    throw InputError("stop");
                                  }),
                      "stop");
    CHECK(read_whole(path) == "second");
    CHECK(folder.files() == 1);
  }
  name_every_temporary(false);
}

TEST_CASE("files: a file in a folder that lets no file be made is written where it is", "[core][files]") {
  const Folder folder;
  const std::string closed = folder / "closed", path = closed + "/a.json", state = folder / "state",
                    copies = state + "/hydrascope";
  fs::create_directories(closed);
  fs::create_directories(state);
  write_whole(path, "the old content");
  ::chmod(path.c_str(), 0666);
  ::chmod(state.c_str(), 0777);
  ::chmod(closed.c_str(), 0555);
  const auto as_user = [&](const std::function<int()>& work) {
    return in_child([&] {
      ::setenv("XDG_STATE_HOME", state.c_str(), 1);
      return work();
    });
  };
  const auto kept = [&] { return fs::exists(copies) ? std::distance(fs::directory_iterator(copies), {}) : 0; };

  CHECK(as_user([&] { return write_whole(path, "new"), 0; }) == 0);
  CHECK(read_whole(path) == "new");
  CHECK(kept() == 0);
  // A fault half-way brings the old content back.
  CHECK(as_user([&] {
          try {
            write_whole(path, [](const Sink& sink) {
              sink("half of something longer");
              throw InputError("stop");
            });
          } catch (const InputError& fault) {
            return std::string_view(fault.what()) == "stop" ? 0 : 1;
          }
          return 2;
        }) == 0);
  CHECK(read_whole(path) == "new");
  CHECK(kept() == 0);
  // A process that ends half-way leaves the copy.
  CHECK(as_user([&] {
          write_whole(path, [](const Sink& sink) {
            sink("half of something longer");
            ::_exit(7);
          });
          return 0;
        }) == 7);
  REQUIRE(kept() == 1);
  CHECK(read_whole(fs::directory_iterator(copies)->path().string()) == "new");
  // Without a place for the copy the file is not touched; a new file cannot be made at all.
  write_whole(path, "as it was");
  ::chmod(closed.c_str(), 0555);
  ::chmod(copies.c_str(), 0555);
  const auto fault_of = [&](const std::string& target, const char* part) {
    return as_user([&] {
      try {
        write_whole(target, "x");
      } catch (const InputError& fault) {
        return std::string_view(fault.what()).find(part) != std::string_view::npos ? 0 : 1;
      }
      return 2;
    });
  };
  CHECK(fault_of(path, "no copy could be kept") == 0);
  CHECK(read_whole(path) == "as it was");
  CHECK(fault_of(closed + "/b.json", "Permission denied") == 0);
  ::chmod(copies.c_str(), 0755);
}

TEST_CASE("marked sentences: what is no file in their folder is named and skipped, not waited for", "[core][text]") {
  const Folder folder;
  write_whole(folder / "b.json", R"({"title": "t", "sentence": "a b"})");
  REQUIRE(::mkfifo((folder / "a.json").c_str(), 0600) == 0);
  fs::create_directories(folder / "c.json");
  fs::create_symlink(folder / "b.json", folder / "d.json");
  const AnnotatedSet set = read_annotated_folder(folder.path.string());
  CHECK(set.sentences.size() == 2);
  REQUIRE(set.faults.size() == 2);
  for (const std::string& fault : set.faults) CHECK_THAT(fault, Contains("is no regular file"));
}

// The built program and the files around it: what interrupts it, what cannot be had, what is no file.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/faults.h"
#include "tests/support/program.h"

using namespace hydra;
using Catch::Contains;
using hydra::test::Program;
using hydra::test::Result;
using nlohmann::json;
using test::fault_at;

namespace {

namespace fs = std::filesystem;

// A document whose second head has scores beyond the largest number.
constexpr const char* kOverflowing = R"({"hydrascope": 1, "sentence": "a b", "d_model": 4,
  "embedding": {"kind": "explicit", "X": [[1, 1, 1, 1], [1, 1, 1, 1]]},
  "layers": [{"heads": 2, "mask": "causal", "weights": {"kind": "random", "init": "identity",
    "edits": {"W_Q": [[2, 2, 1e20]], "W_K": [[2, 2, 1e20]]}}}]})";

}  // namespace

TEST_CASE("commands: numbers that are not finite are said once, and are no masked ones", "[app][cli]") {
  const Program program;
  const std::string file = program.file_with("a.json", kOverflowing);
  const Result trace = program.run("trace '" + file + "'");
  CHECK(trace.code == 0);
  CHECK(trace.error ==
        "not finite: head 2: S₂[a → a] is inf: the product of query and key is beyond the largest number, 3.4e38, so "
        "the row of \"a\" in A₂ is not a number.\n");
  const json head = json::parse(trace.out).at("layers").at(0).at("heads").at(1);
  CHECK(head.at("scores") == json::parse(R"([["inf", null], ["inf", "inf"]])"));
  CHECK(head.at("attention").at(1).at(0) == "nan");
  const Result analyze = program.run("analyze '" + file + "'");
  CHECK(analyze.code == 0);
  CHECK(analyze.error == trace.error);
  const Result sweep = program.run("sweep '" + file + "'");
  CHECK(sweep.code == 0);
  CHECK(std::count(sweep.error.begin(), sweep.error.end(), '\n') == 1);
  CHECK_THAT(sweep.error, Contains("not finite: with 1 head, head 1: ") && Contains("is beyond the largest number"));
  CHECK(program.run("trace").error.empty());
}

TEST_CASE("commands: a pipe among the user's sentences is named and not waited for", "[app][cli]") {
  const Program program;
  const std::string folder = program.file("data/hydrascope/sentences");
  fs::create_directories(folder);
  REQUIRE(::mkfifo((folder + "/pipe.json").c_str(), 0600) == 0);
  ::setenv("XDG_DATA_HOME", program.file("data").c_str(), 1);
  CHECK(program.run("analyze --out '" + program.file("a.json") + "'").error.empty());  // nobody asks for the folder
  const Result result = program.run("analyze --out '" + program.file("a.json") + "' --sentences all");
  ::unsetenv("XDG_DATA_HOME");
  CHECK(result.code == 0);
  CHECK_THAT(result.error, Catch::Matchers::StartsWith("skipped: " + folder +
                                                       "/pipe.json: is no regular file; marked sentences are files\n"));
}

TEST_CASE("commands: a document may come through a pipe", "[app][cli]") {
  const Program program;
  const std::string pipe = program.file("document");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] {
    const int file = ::open(pipe.c_str(), O_WRONLY);
    (void)!::write(file, "{\"hydrascope\": 1}", 17);
    ::close(file);
  });
  const Result result = program.run("trace '" + pipe + "'");
  writer.join();
  CHECK(result.code == 0);
  CHECK(result.out == program.run("trace -", "{\"hydrascope\": 1}").out);
}

TEST_CASE("commands: one that is interrupted leaves nothing beside its file", "[app][cli]") {
  const Program program;
  const std::string folder = program.file("out");
  fs::create_directories(folder);
  const std::string out = folder + "/t.json";
  // Much to write: it takes a while, and is interrupted before, in the midst or after.
  std::string sentence = "/sentence=a";
  for (int k = 1; k < 700; ++k) sentence += " a";
  for (const int milliseconds : {50, 200, 400, 700}) {
    write_whole(out, "old");
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGINT, SIG_DFL);
      ::execl(HYDRA_PROGRAM, HYDRA_PROGRAM, "trace", "--set", sentence.c_str(), "--out", out.c_str(), nullptr);
      ::_exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(child, SIGINT);
    ::waitpid(child, nullptr, 0);
    CAPTURE(milliseconds);
    CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
    char left[4] = {};
    std::ifstream(out).read(left, 3);
    CHECK((std::string(left) == "old" || std::string(left) == "{\n\""));
  }
}

TEST_CASE("commands: what is printed and does not arrive is a fault", "[app][cli]") {
  const Program program;
  for (const char* command : {"--help", "trace --help", "--version", "--commands"}) {
    const Result result = program.run(std::string(command) + " >/dev/full");
    CAPTURE(command);
    CHECK(result.code == 2);
    CHECK(result.error == "standard output: cannot be written: No space left on device\n");
  }
}

TEST_CASE("commands: a file that may grow no more is one sentence, and the old one stays", "[app][cli]") {
  const Program program;
  const std::string out = program.file_with("out.json", "old"), error = program.file("error");
  const std::string command = "ulimit -f 1; exec '" HYDRA_PROGRAM "' trace --out '" + out + "' 2>'" + error + "' >'" +
                              program.file("none") + "'";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 2);
  CHECK(read_whole(error) == out + ": cannot be written: File too large\n");
  CHECK(read_whole(out) == "old");
}

TEST_CASE("commands: what a command reads is not written over", "[app][cli]") {
  const Program program;
  const std::string text = R"({"hydrascope": 1, "sentence": "a b"})", file = program.file_with("a.json", text);
  const std::string refusal = "--out: " + file + " is another file of this command as well; give it another name";
  for (const char* command : {"trace", "render", "sweep", "analyze"})
    CHECK(program.refusal(command + (" " + file) + " --out " + file) == refusal);
  CHECK(program.refusal("gradients " + file + " --target " + program.file_with("t.json", "[]") + " --out " +
                        program.file("t.json")) ==
        "--out: " + program.file("t.json") + " is another file of this command as well; give it another name");
  CHECK(read_whole(file) == text);
  CHECK(program.run("trace " + file + " --out " + program.file("b.json")).code == 0);
}

TEST_CASE("commands: where nothing can be written is said before anything is computed", "[app][cli]") {
  const Program program;
  const std::string nowhere = program.file("none/a.json"), file = program.file("a.json");
  const std::string refusal = ": there is no folder " + program.file("none") + " to write a.json into";
  CHECK(program.refusal("trace --out " + nowhere) == "--out" + refusal);
  CHECK(program.refusal("train --task markov --steps 1000000 --save " + nowhere) == "--save" + refusal);
  CHECK(program.refusal("train --task markov --steps 1000000 --out " + file + " --save " + file) ==
        "--save: " + file + " is another file of this command as well; give it another name");
  CHECK(program.refusal("train --task text --text " + program.file_with("few.txt", "one two"))
            .starts_with(program.file("few.txt") + ": "));
  CHECK_THAT(program.refusal("train --seeds 1001"), fault_at("--seeds", "from 1 to 1000"));
  CHECK_THAT(program.refusal("sweep --seeds 1001"), fault_at("--seeds", "from 1, the document's own, to 1000"));
}

TEST_CASE("commands: a sentence that is set replaces the document's tokens, and a file with a link is told",
          "[app][cli]") {
  const Program program;
  const std::string file = program.file_with("a.json", R"({"hydrascope": 1, "tokens": ["a b", "c"]})");
  CHECK_THAT(program.run("trace " + file + " --set '/sentence=one two three'").out,
             Contains(R"(["one", "two", "three"])"));
  CHECK_THAT(program.run("trace " + file + R"( --set '/sentence=one two' --set '/tokens=["x y"]')").out,
             Contains(R"(["x y"])"));
  const std::string link = program.file_with("a.link", "\n#d=abc&view=flow\n");
  CHECK(program.refusal("trace " + link) ==
        link + ": holds a link, and a document is JSON; give the link itself, in quotes");
}

TEST_CASE("commands: a machine without OpenGL is told what to install", "[app][cli]") {
  const Program program;
  const std::string none = program.file("none");
  fs::create_directories(none);
  const auto refusal = [&](const std::string& environment) {
    const std::string script =
        program.file_with("run.sh", "unset DISPLAY WAYLAND_DISPLAY\nexec env " + environment +
                                        " '" HYDRA_PROGRAM "' render --out '" + program.file("a.png") + "'\n");
    Result result;
    FILE* pipe = ::popen(("sh '" + script + "' 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    char piece[4096];
    for (std::size_t count; (count = std::fread(piece, 1, sizeof piece, pipe)) > 0;) result.out.append(piece, count);
    const int status = ::pclose(pipe);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2));
    return result.out;
  };
  // No driver that EGL could load; then no EGL at all.
  for (const char* library : {"libEGL.so.1", "libEGL.so"})
    program.file_with(std::string("none/") + library, "no library");
  for (const std::string& environment :
       {"__EGL_VENDOR_LIBRARY_DIRS='" + none + "'", "LD_LIBRARY_PATH='" + none + "'"}) {
    CAPTURE(environment);
    CHECK_THAT(refusal(environment), Contains("this machine has no OpenGL 3.3 to draw with") && Contains("install"));
  }
}

TEST_CASE("commands: the program names them", "[app][cli]") {
  const Program program;
  CHECK(program.run("--commands").out ==
        "info\ntrace\nanalyze\nanswer\nwrite\nexport\nsweep\nrender\nplay\ntrain\ngradients\nfit\nlink\nmeasure\nwordin"
        "g\n");
}

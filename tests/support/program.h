// The built program as a process, with a folder of its own.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/files/whole_file.h"

namespace hydra::test {

struct Result {
  int code = -1;
  std::string out, error;
};

class Program {
 public:
  Program() { std::filesystem::create_directories(folder_); }
  ~Program() { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string file_with(const std::string& name, std::string_view bytes) const {
    write_whole(file(name), bytes);
    return file(name);
  }

  // arguments as a shell takes them.
  Result run(const std::string& arguments, std::string_view input = "") const {
    const std::string in = file_with("stdin", input), error = file("stderr");
    const std::string command = std::string("'" HYDRA_PROGRAM "' ") + arguments + " <'" + in + "' 2>'" + error + "'";
    Result result;
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    char piece[4096];
    for (std::size_t count; (count = std::fread(piece, 1, sizeof piece, pipe)) > 0;) result.out.append(piece, count);
    const int status = ::pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.error = read_whole(error);
    return result;
  }

  // A command on the document of untrained heads, whatever opens without a file.
  Result untrained(const std::string& command, const std::string& arguments = "") const {
    return run(command + " - " + arguments, R"({"hydrascope": 1})");
  }

  // Runs it, expecting exit code 2 and one sentence; gives the sentence.
  std::string refusal(const std::string& arguments, std::string_view input = "") const {
    const Result result = run(arguments, input);
    CAPTURE(arguments, result.error);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(std::count(result.error.begin(), result.error.end(), '\n') == 1);
    CHECK(result.error.ends_with("\n"));
    return result.error.substr(0, result.error.find('\n'));
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("hydrascope-cli-" + std::to_string(::getpid()));
};

}  // namespace hydra::test

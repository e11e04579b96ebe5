// GLSL programs from embedded sources, which have no version line (gl_api.h). In developer builds (HYDRA_DEV_ASSETS)
// the sources are read from the source tree and compiled again when a file changes; a program that fails to build
// leaves the last good one in place.
#pragma once
#include <filesystem>
#include <string>

#include "app/gl/handle.h"

namespace hydra::gl {

struct BuiltProgram {
  Program program;    // empty when it failed
  std::string error;  // the compiler's or linker's log
};
BuiltProgram build_program(const std::string& vertex_source, const std::string& fragment_source);

class LiveProgram {
 public:
  // Names of files in shaders/. directory: where to read and watch them; empty for the embedded ones.
  LiveProgram(std::string vertex_name, std::string fragment_name,
              std::filesystem::path directory = default_directory());

  // Looks for changed files, at most a few times a second. True when the program is another one than before, so that
  // uniform locations must be asked for again.
  bool refresh();
  GLuint id() const { return program_.id(); }  // 0 while no version has compiled
  const std::string& last_error() const { return error_; }

  static std::filesystem::path default_directory();

 private:
  bool rebuild();
  std::string source(const std::string& name) const;
  std::filesystem::file_time_type newest() const;

  std::string vertex_name_, fragment_name_, error_;
  std::filesystem::path directory_;
  std::filesystem::file_time_type built_from_{};
  double next_look_ = 0;
  Program program_;
};

}  // namespace hydra::gl

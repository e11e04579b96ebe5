#include "app/gl/program.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>

#include "app/gl/gl_api.h"
#include "embedded/shaders.h"

namespace hydra::gl {
namespace {

std::string log_of(GLuint id, decltype(glGetShaderiv) get, decltype(glGetShaderInfoLog) get_log) {
  GLint length = 0;
  get(id, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  GLsizei written = 0;
  get_log(id, length, &written, log.data());
  log.resize(static_cast<std::size_t>(written));
  return log;
}

Shader compile(GLenum stage, const std::string& source, std::string& error) {
  Shader shader = Shader::adopt(glCreateShader(stage));
  const std::array texts{kShaderBegins, source.c_str()};
  glShaderSource(shader.id(), texts.size(), texts.data(), nullptr);
  glCompileShader(shader.id());
  GLint ok = GL_FALSE;
  glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &ok);
  if (!ok) error += log_of(shader.id(), glGetShaderiv, glGetShaderInfoLog);
  return shader;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double kLookEvery = 0.25;

}  // namespace

BuiltProgram build_program(const std::string& vertex_source, const std::string& fragment_source) {
  BuiltProgram built;
  const Shader vertex = compile(GL_VERTEX_SHADER, vertex_source, built.error);
  const Shader fragment = compile(GL_FRAGMENT_SHADER, fragment_source, built.error);
  if (!built.error.empty()) return built;
  Program program = Program::make();
  glAttachShader(program.id(), vertex.id());
  glAttachShader(program.id(), fragment.id());
  glLinkProgram(program.id());
  GLint ok = GL_FALSE;
  glGetProgramiv(program.id(), GL_LINK_STATUS, &ok);
  if (!ok) {
    built.error = log_of(program.id(), glGetProgramiv, glGetProgramInfoLog);
    return built;
  }
  built.program = std::move(program);
  return built;
}

LiveProgram::LiveProgram(std::string vertex_name, std::string fragment_name, std::filesystem::path directory)
    : vertex_name_(std::move(vertex_name)), fragment_name_(std::move(fragment_name)), directory_(std::move(directory)) {
  rebuild();
}

std::filesystem::path LiveProgram::default_directory() {
#ifdef HYDRA_DEV_SHADERS
  return HYDRA_DEV_SHADERS;
#else
  return {};
#endif
}

bool LiveProgram::refresh() {
  if (directory_.empty() || seconds_now() < next_look_) return false;
  next_look_ = seconds_now() + kLookEvery;
  return newest() != built_from_ && rebuild();
}

bool LiveProgram::rebuild() {
  built_from_ = newest();
  BuiltProgram built = build_program(source(vertex_name_), source(fragment_name_));
  error_ = built.error;
  if (!built.program) return false;
  program_ = std::move(built.program);
  return true;
}

std::string LiveProgram::source(const std::string& name) const {
  if (!directory_.empty()) {
    std::ifstream file(directory_ / name, std::ios::binary);
    if (file) return {std::istreambuf_iterator<char>(file), {}};
  }
  return std::string(shaders::find(name));
}

std::filesystem::file_time_type LiveProgram::newest() const {
  auto newest = std::filesystem::file_time_type::min();
  if (directory_.empty()) return newest;
  for (const std::string& name : {vertex_name_, fragment_name_}) {
    std::error_code missing;
    const auto time = std::filesystem::last_write_time(directory_ / name, missing);
    if (!missing) newest = std::max(newest, time);
  }
  return newest;
}

}  // namespace hydra::gl

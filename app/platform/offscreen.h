// A current OpenGL 3.3 core context without a window: EGL's surfaceless platform, which needs no display server, else a
// hidden window. There is no default framebuffer; draw into a gl::Canvas.
#pragma once
#include <memory>
#include <string>

namespace hydra {

class OffscreenContext {
 public:
  // Throws InputError with one sentence when the machine has neither way.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  const std::string& description() const;  // the way and the driver, for reports

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hydra

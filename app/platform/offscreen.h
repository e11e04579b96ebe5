// A current OpenGL context without a window, on a desktop one that needs no display server where there is such a way.
// There is no default framebuffer; draw into a gl::PixelBuffer.
#pragma once
#include <memory>
#include <string>

namespace hydra {

class OffscreenContext {
 public:
  // Throws InputError with one sentence when the machine has no way.
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

// The program without its window: document, history, trace, view state, and one frame of the interface. Knows ImGui,
// but neither GLFW nor OpenGL, so that tests and the render command run the same frames as the window does.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "app/platform/input.h"
#include "app/views/context.h"
#include "core/document/history.h"

namespace hydra {

class App {
 public:
  // Needs a current ImGui context. sink must outlive the app.
  App(Document document, std::string path, HeatmapSink& sink);
  ~App();

  // One frame: pump input, lay out, apply the edits, evaluate; when that changed anything, lay out once more, so that
  // what is presented never lags behind the input. Ends with ImGui::Render (draw data ready). dt in seconds.
  void frame(ImVec2 size, float dt, InputQueue& input);

  // True once after the font atlas was rebuilt (text scale): the caller uploads it again.
  bool take_fonts_changed();
  // Something moves without input: an animation, a caret, a background evaluation that just finished.
  bool wants_frame() const;
  bool wants_caret_blink() const;
  bool quit_requested() const;
  // Whether the window may close. With unsaved changes the first answer is no, with a notice that says so; the next is
  // yes.
  bool may_close();
  // Called from any thread when a background evaluation is done; the window sets it to wake its event loop.
  void on_background_done(std::function<void()> wake);
  // How long a frame waits for what it asked for, 12 ms unless said otherwise: tests wait until it is there, however
  // busy the machine.
  void set_patience(std::chrono::milliseconds patience);
  // Blocks until the trace and the roles belong to the document (render command, tests).
  void finish_evaluation();
  void open(const std::string& path);  // as a file dropped on the window; a fault becomes a notice

  const History& history() const;
  const std::string& path() const;  // of the open file; empty: not saved yet
  const Trace& trace() const;
  ViewState& view();
  const HeadRoles& roles() const;  // of the trace, or a moment older
  const Fonts& fonts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hydra

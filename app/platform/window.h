// The real window: a current OpenGL context, and every input event into an InputQueue. Its frames come by loop.h.
#pragma once
#include <imgui.h>

#include <functional>
#include <memory>
#include <string>

#include "app/platform/heard.h"
#include "app/platform/input.h"

namespace hydra {

class Window {
 public:
  // Visible, its context current, ImGui's clipboard and mouse cursor served (so an ImGui context must be current).
  // Throws InputError with one sentence when there is no display to open it on, or no OpenGL that is new enough.
  Window(int width, int height, const std::string& title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  InputQueue& input();
  ImVec2 size() const;               // ImGui's pixels
  ImVec2 framebuffer_scale() const;  // framebuffer pixels per ImGui pixel
  float content_scale() const;       // what the system asks text to be enlarged by
  double seconds() const;            // since the program's first window
  bool should_close() const;
  void stay_open();  // takes a request to close back; a minimized window comes back to say why
  bool minimized() const;
  bool take_restored();  // true once after OpenGL's context was lost and is there again: all in it must be made anew
  void set_title(const std::string& title);
  void set_unsaved(bool unsaved);  // for a system that ends programs without asking them: it asks
  void on_file_dropped(std::function<void(const std::string& path)> open);
  void on_refused(std::function<void(const std::string& why)> say);  // what was to be dropped could not be had
  bool listens() const;                                              // somebody may hear what is told
  void tell(const Heard& heard);
  struct Asks {  // what who hears it asks for
    std::function<void(Heard::Kind kind, int index)> offer;
    std::function<void(const std::string& text)> sentence;
    std::function<void(int by)> enter;  // Tab has come into the window (+1), Shift Tab (-1), or it is left (0)
  };
  void on_asked(Asks asks);
  bool prefers_dark();        // the system does
  bool prefers_calm() const;  // and that nothing moves by itself
  void show_cursor();         // the shape ImGui asked for in the frame just laid out
  void present();

  struct State;
  State& state() { return *state_; }  // the platform's own

 private:
  std::unique_ptr<State> state_;
};

}  // namespace hydra

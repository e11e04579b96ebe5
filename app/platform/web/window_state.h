// What a canvas of a page is as a window. window.cpp's and loop.cpp's alone.
#pragma once
#include <functional>
#include <string>

#include "app/platform/window.h"

namespace hydra {

struct Window::State {
  static State* only;  // there is one canvas

  InputQueue input;
  float width = 0, height = 0, ratio = 1;  // pixels of the screen, all of them drawn; and how many are one of CSS's
  bool dirty = true;
  bool lost = false, restored = false;  // the context of OpenGL
  std::function<void(const std::string&)> open_file, refuse;
  std::string title, clipboard;
  Heard told;
  Window::Asks asks;
  bool dark = false, calm = false;  // what the browser's user prefers
  bool unsaved = false, typing = false, touched = false;
  ImGuiMouseCursor shown = ImGuiMouseCursor_COUNT;

  void push(InputEvent event) {
    input.push(event);
    changed();
  }
  void changed();  // a frame is needed
};

}  // namespace hydra

// What a window of GLFW is made of. window.cpp's and loop.cpp's alone.
#pragma once
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <functional>
#include <string>

#include "app/platform/desktop/system_theme.h"
#include "app/platform/window.h"

namespace hydra {

struct Window::State {
  GLFWwindow* window = nullptr;
  std::string title;
  InputQueue input;
  bool dirty = true;
  SystemTheme system_theme;
  std::function<void(const std::string&)> open_file;
  GLFWcursor* cursors[ImGuiMouseCursor_COUNT] = {};
  ImGuiMouseCursor shown = ImGuiMouseCursor_Arrow;

  static State& of(GLFWwindow* window) { return *static_cast<State*>(glfwGetWindowUserPointer(window)); }
  static void push(GLFWwindow* window, InputEvent event) {
    of(window).input.push(event);
    of(window).dirty = true;
  }
  void install_callbacks();
  void install_clipboard();
  ~State();
};

}  // namespace hydra

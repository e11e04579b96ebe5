#include "app/platform/window.h"

#include <algorithm>
#include <utility>

#include "app/platform/desktop/window_state.h"
#include "core/error.h"

namespace hydra {
namespace {

// GLFW reports why through a callback only; the sentence must name it.
std::string& glfw_error() {
  static std::string text;
  return text;
}

int cursor_shape(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return GLFW_IBEAM_CURSOR;
    case ImGuiMouseCursor_ResizeNS:
      return GLFW_VRESIZE_CURSOR;
    case ImGuiMouseCursor_ResizeEW:
      return GLFW_HRESIZE_CURSOR;
    case ImGuiMouseCursor_Hand:
      return GLFW_HAND_CURSOR;
    default:
      return GLFW_ARROW_CURSOR;
  }
}

// Enlarged as the system enlarges text, but no larger than the screen leaves room for.
std::pair<int, int> fit_to_monitor(int width, int height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return {width, height};
  float scale_x = 1, scale_y = 1;
  glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
  int x = 0, y = 0, room_x = 0, room_y = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &room_x, &room_y);
  const auto fit = [](int size, float scale, int room) {
    const int wanted = static_cast<int>(static_cast<float>(size) * scale);
    return room > 0 ? std::min(wanted, room) : wanted;
  };
  return {fit(width, scale_x, room_x), fit(height, scale_y, room_y)};
}

}  // namespace

// The stock backend loses a key pressed and released between two frames, so all input goes through our queue instead.
void Window::State::install_callbacks() {
  using Kind = InputEvent::Kind;
  glfwSetWindowUserPointer(window, this);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    push(w, {Kind::move, static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    push(w, {Kind::button, 0, 0, button, action == GLFW_PRESS});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    push(w, {Kind::wheel, static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int code, int, int action, int) {
    of(w).dirty = true;  // ImGui repeats held keys itself, given frames to do so in
    if (action != GLFW_REPEAT && code != GLFW_KEY_UNKNOWN) push(w, {Kind::key, 0, 0, code, action == GLFW_PRESS});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned int code_point) {
    push(w, {Kind::text, 0, 0, static_cast<int>(code_point)});
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int gained) { push(w, {Kind::focus, 0, 0, 0, gained != 0}); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (!entered) push(w, {Kind::leave});
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    if (count > 0 && of(w).open_file) of(w).open_file(paths[0]);
    of(w).dirty = true;
  });
  const auto redraw = [](GLFWwindow* w) { of(w).dirty = true; };
  glfwSetWindowRefreshCallback(window, redraw);
  glfwSetWindowCloseCallback(window, redraw);
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).dirty = true; });
}

void Window::State::install_clipboard() {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = window;
  io.GetClipboardTextFn = [](void* w) { return glfwGetClipboardString(static_cast<GLFWwindow*>(w)); };
  io.SetClipboardTextFn = [](void* w, const char* text) { glfwSetClipboardString(static_cast<GLFWwindow*>(w), text); };
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
}

Window::State::~State() {
  for (GLFWcursor* cursor : cursors) {
    if (cursor) glfwDestroyCursor(cursor);
  }
  if (window) glfwDestroyWindow(window);
  glfwTerminate();
}

Window::Window(int width, int height, const std::string& title) : state_(std::make_unique<State>()) {
  glfwSetErrorCallback([](int, const char* text) { glfw_error() = text; });
  if (!glfwInit()) {
    throw InputError("no display to open a window on (" + glfw_error() +
                     "); without one, `hydrascope render` draws the same picture into a file");
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "hydrascope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "hydrascope");
  const auto [fit_width, fit_height] = fit_to_monitor(width, height);
  state_->window = glfwCreateWindow(fit_width, fit_height, title.c_str(), nullptr, nullptr);
  if (!state_->window) {
    throw InputError("the display gives no OpenGL 3.3 window (" + glfw_error() +
                     "); `hydrascope render` draws the same picture into a file");
  }
  state_->title = title;
  glfwMakeContextCurrent(state_->window);
  glfwSwapInterval(1);
  state_->install_callbacks();
  state_->install_clipboard();
  double x = 0, y = 0;
  glfwGetCursorPos(state_->window, &x, &y);
  if (glfwGetWindowAttrib(state_->window, GLFW_HOVERED)) {
    State::push(state_->window, {InputEvent::Kind::move, static_cast<float>(x), static_cast<float>(y)});
  }
}

Window::~Window() {
  ImGuiIO& io = ImGui::GetIO();
  io.GetClipboardTextFn = nullptr;
  io.SetClipboardTextFn = nullptr;
}

InputQueue& Window::input() { return state_->input; }

ImVec2 Window::size() const {
  int width = 0, height = 0;
  glfwGetWindowSize(state_->window, &width, &height);
  return {static_cast<float>(width), static_cast<float>(height)};
}

ImVec2 Window::framebuffer_scale() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(state_->window, &width, &height);
  const ImVec2 points = size();
  if (points.x <= 0 || points.y <= 0) return {1, 1};
  return {static_cast<float>(width) / points.x, static_cast<float>(height) / points.y};
}

// Where the system already draws in enlarged pixels (framebuffer_scale above one), text needs no enlarging of its own.
float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(state_->window, &x, &y);
  return std::max(1.f, x / framebuffer_scale().x);
}

double Window::seconds() const { return glfwGetTime(); }
bool Window::should_close() const { return glfwWindowShouldClose(state_->window); }
void Window::stay_open() {
  glfwSetWindowShouldClose(state_->window, GLFW_FALSE);
  if (glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED)) glfwRestoreWindow(state_->window);
}

bool Window::minimized() const {
  const ImVec2 points = size();
  return glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED) || points.x < 1 || points.y < 1;
}

bool Window::take_restored() { return false; }
void Window::set_unsaved(bool) {}  // a window is asked to close
bool Window::listens() const { return false; }
void Window::tell(const Heard&) {}
void Window::on_asked(Asks) {}
bool Window::prefers_dark() { return state_->system_theme.is_dark(); }
bool Window::prefers_calm() const { return false; }  // no system that this runs on says so without a library for it

void Window::set_title(const std::string& title) {
  if (title != state_->title) glfwSetWindowTitle(state_->window, title.c_str());
  state_->title = title;
}

void Window::on_file_dropped(std::function<void(const std::string&)> open) { state_->open_file = std::move(open); }

void Window::on_refused(std::function<void(const std::string&)>) {}

void Window::show_cursor() {
  const ImGuiMouseCursor wanted = ImGui::GetMouseCursor();
  if (wanted == state_->shown || wanted < 0) return;
  GLFWcursor*& cursor = state_->cursors[wanted];
  if (!cursor) cursor = glfwCreateStandardCursor(cursor_shape(wanted));
  glfwSetCursor(state_->window, cursor);
  state_->shown = wanted;
}

void Window::present() { glfwSwapBuffers(state_->window); }

}  // namespace hydra

#include "app/platform/offscreen.h"

#include <dlfcn.h>
#define EGL_NO_X11  // else EGL's headers bring in Xlib's macros
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <initializer_list>

#include "core/error.h"
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace hydra {
namespace {

// Whether one of the libraries is there: libepoxy ends the process when it needs one that is not.
bool has_library(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (dlopen(name, RTLD_LAZY | RTLD_LOCAL)) return true;  // stays open: it is needed
  return false;
}

}  // namespace

struct OffscreenContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLFWwindow* window = nullptr;
  bool glfw = false;
  std::string description;

  bool open_surfaceless();
  bool open_hidden_window();
  ~State();
};

bool OffscreenContext::State::open_surfaceless() {
  if (!has_library({"libEGL.so.1", "libEGL.so"})) return false;
  if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) return false;
  display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
    display = EGL_NO_DISPLAY;
    return false;
  }
  if (!epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context") || !eglBindAPI(EGL_OPENGL_API)) return false;
  const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

bool OffscreenContext::State::open_hidden_window() {
  glfw = glfwInit();
  if (!glfw) return false;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  window = glfwCreateWindow(64, 64, "hydrascope", nullptr, nullptr);
  if (window) glfwMakeContextCurrent(window);
  return window != nullptr;
}

OffscreenContext::State::~State() {
  if (display != EGL_NO_DISPLAY) {
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
  }
  if (window) glfwDestroyWindow(window);
  if (glfw) glfwTerminate();
}

OffscreenContext::OffscreenContext() : state_(std::make_unique<State>()) {
  const bool opengl = has_library({"libOpenGL.so.0", "libGL.so.1", "libGL.so"});
  const bool surfaceless = opengl && state_->open_surfaceless();
  if (!surfaceless && !(opengl && state_->open_hidden_window())) {
    throw InputError(
        "this machine has no OpenGL 3.3 to draw with: neither EGL without a display nor a hidden window gives a "
        "context; install Mesa's software renderer (on Debian: apt install libegl1 libgl1 libgl1-mesa-dri)");
  }
  state_->description = std::string(surfaceless ? "EGL surfaceless, " : "hidden window, ") +
                        reinterpret_cast<const char*>(glGetString(GL_RENDERER));
}

OffscreenContext::~OffscreenContext() = default;

const std::string& OffscreenContext::description() const { return state_->description; }

}  // namespace hydra

// OpenGL 3.3, by libepoxy, which resolves each function at its first call, on GLX and on EGL.
#pragma once
#include <epoxy/gl.h>

namespace hydra::gl {

// What stands before the text of every shader: its version. Lines are counted from the text's own first.
inline constexpr const char* kShaderBegins = "#version 330 core\n#line 1\n";

}  // namespace hydra::gl

// OpenGL ES 3, which a browser calls WebGL 2.
#pragma once
#include <GLES3/gl3.h>

namespace hydra::gl {

// What stands before the text of every shader: its version, and the precision of what ES 3 has no default for. Lines
// are counted from the text's own first.
inline constexpr const char* kShaderBegins =
    "#version 300 es\n"
    "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp sampler2DArray;\n"
    "#line 1\n";

}  // namespace hydra::gl

// The only include of OpenGL: the header of the platform that CMake has chosen. All that is used of it is in OpenGL 3.3
// and in OpenGL ES 3, and so are the shaders, which begin with the platform's kShaderBegins.
#pragma once
#include <platform_gl.h>

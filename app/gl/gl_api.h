// The only include of the OpenGL (and EGL) loader. libepoxy resolves each function at its first call, on GLX and on
// EGL.
#pragma once
#define EGL_NO_X11  // else EGL's headers bring in Xlib's macros
#include <epoxy/egl.h>
#include <epoxy/gl.h>

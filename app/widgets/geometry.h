// What layouts and widgets are given.
#pragma once
#include <imgui.h>

#include "app/draw/box.h"
#include "app/platform/theme.h"

namespace hydra {

// Of every layout: the room for it, and how large its text is.
struct LayoutInput : Box {
  float text = 15, small = 12;  // heights of lines
  float unit = 4;               // spacing
  float scrollbar = 12;
};

// How a widget is drawn.
struct Look {
  const Theme* theme = nullptr;
  ImFont* font = nullptr;
  float unit = 4;
  bool unicode = true;  // the font has arrows and the like
};

}  // namespace hydra

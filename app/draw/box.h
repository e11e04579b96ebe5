#pragma once
#include <imgui.h>

namespace hydra {

struct Box {  // in pixels, y downwards
  ImVec2 pos, size;
  float right() const { return pos.x + size.x; }
  float bottom() const { return pos.y + size.y; }
  ImVec2 end() const { return {right(), bottom()}; }
};

}  // namespace hydra

// The table of heads by measures: bands of columns under headers that stay in view.
#pragma once
#include "app/views/context.h"

namespace hydra {

void draw_role_table(Frame& frame, ImVec2 pos, ImVec2 size);  // where there is a table

}  // namespace hydra

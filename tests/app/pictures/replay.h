// What was recorded, drawn once more: into a window, an image.
#pragma once
#include <span>

#include "app/draw/recording.h"

namespace hydra {

// Each mark moved by so much.
void replay(std::span<const Recording::Mark* const> marks, ImVec2 by, Canvas& canvas);

}  // namespace hydra

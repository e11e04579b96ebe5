// What is chosen in the Stream view.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

struct StreamState {
  Index token = 0;         // whose stream is shown large, when no token's row is selected
  bool by_cosine = false;  // the strips say how much of the word is left, not how large the stream is
  bool all_heads = false;  // every layer is told head by head, not only the one in focus
  // What the ladder was last scrolled to: the layer, at these heights of its content and its room.
  int in_ladder = -1;
  float ladder_content = 0, ladder_room = 0;
};

}  // namespace hydra

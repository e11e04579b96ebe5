// What is chosen in the Stream view.
#pragma once
#include "core/linalg/types.h"

namespace hydra {

// What the strips of all tokens at all layers tell.
enum class StreamStrips { size, cosine, heads, feed_forward };

struct StreamState {
  Index token = 0;  // whose stream is shown large, when no token's row is selected
  StreamStrips strips = StreamStrips::size;
  bool all_heads = false;  // every layer is told head by head, not only the one in focus
  // What the ladder was last scrolled to: the layer, at these heights of its content and its room.
  int in_ladder = -1;
  float ladder_content = 0, ladder_room = 0;
};

}  // namespace hydra

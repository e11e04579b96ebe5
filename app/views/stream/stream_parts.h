// The parts of the Stream view, each a file.
#pragma once
#include "app/views/context.h"
#include "app/views/stream/stream_layout.h"
#include "app/views/stream/stream_words.h"
#include "app/views/stream_shown.h"

namespace hydra {

// All tokens at all layers. Probe names: stream/grid, stream/cell/2/5 (layer 2, 0 for X; token 5).
void draw_stream_grid(Frame& frame, const StreamLayout& at);
// The stream of one token, line by line. Probe names: stream/ladder, and of lines in view stream/line/2/contribution/3
// (what names it) and stream/row/2/contribution/3 (its numbers as a picture), without the last for what is no head's.
void draw_stream_ladder(Frame& frame, const StreamLayout& at);

// The page of composition. Probe names: circuit/graph, circuit/head/2/3 (layer, head), circuit/into/query,
// circuit/threshold, circuit/usual, circuit/of_focus, circuit/list/1, circuit/product, circuit/note.
void draw_circuit_page(Frame& frame, ImVec2 origin, ImVec2 room);

// The lines of the ladder, from top to bottom: of layers that are not told head by head the heads together.
struct StreamPlace {
  int layer = 0, line = 0;
};
std::vector<StreamPlace> ladder_lines(const Stream& stream, int focus, bool all_heads);

}  // namespace hydra

// The parts of the Stream view, each a file.
#pragma once
#include "app/measures/stream/circuit.h"
#include "app/measures/stream/stream.h"
#include "app/views/frame/context.h"
#include "app/views/stream/stream_layout.h"
#include "app/views/stream/stream_words.h"

namespace hydra {

// The newest of the token in view, for the question in view; of all heads.
const Measured<StreamMeasure>& measured_stream(const Frame& frame);
const Measured<CircuitMeasure>& measured_circuit(const Frame& frame);
// Of any state what is known of it, as it is told now; may be null.
using StreamResult = std::shared_ptr<const StreamMeasure::Result>;
StreamResult stream_of(const Frame& frame, const Source& source);
// Of the other state of the last change, with as many tokens, layers and lines; null: there is nothing to mark.
StreamResult other_stream(Frame& frame);

// All tokens at all layers. Probe names: stream/grid, stream/cell/2/5 (layer 2, 0 for X; token 5).
void draw_stream_grid(Frame& frame, const StreamLayout& at);
// A part of the grid, tokens [first, last] of which are in view, from the corner of its content. Probe names:
// stream/next/5 (token).
void draw_stream_next(Frame& frame, const StreamLayout& at, ImVec2 corner, int first, int last);
// The stream of one token, line by line. Probe names: stream/ladder, and of lines in view stream/line/2/contribution/3
// (what names it) and stream/row/2/contribution/3 (its numbers as a picture), without the last for what is no head's.
void draw_stream_ladder(Frame& frame, const StreamLayout& at);

// The page of composition. Probe names: circuit/graph, circuit/head/2/3 (layer, head), circuit/into/query,
// circuit/threshold, circuit/usual, circuit/of_focus, circuit/list/1, circuit/product, circuit/note.
void draw_circuit_page(Frame& frame, ImVec2 origin, ImVec2 room);

// The lines of the ladder, from top to bottom: where their effects are told the logits and, where there are some, what
// is added to them for any token; of layers that are not told head by head the heads together.
struct StreamPlace {
  static constexpr int kReadOut = -1;  // the layer of those lines:
  static constexpr int kLogits = 0, kShifts = 1;
  int layer = 0, line = 0;
  bool operator==(const StreamPlace&) const = default;
};
std::vector<StreamPlace> ladder_lines(const Stream& stream, const DirectEffects* told, int focus, bool all_heads);
// What strips tell: what was chosen, where there is such.
StreamStrips told_by_strips(const Frame& frame);

}  // namespace hydra

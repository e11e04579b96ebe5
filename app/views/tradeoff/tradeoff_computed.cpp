// Trade-off: how attention is really computed; its two parts.
#include "app/views/tradeoff/tradeoff_computed.h"
#include "app/views/tradeoff/tradeoff_view.h"

namespace hydra {

std::vector<Index> timing_lengths(const ViewState& view) {
  if (!view.tradeoff.lengths.empty()) return view.tradeoff.lengths;
  return {64, 128, 256, 512, 1024, 2048, 4096};
}

}  // namespace hydra

namespace hydra::tradeoff {

void draw_computed(Frame& frame, ImVec2 pos, ImVec2 size) {
  if (frame.view.tradeoff.part == ComputedPart::tiles) return draw_tiles(frame, pos, size);
  frame.view.tradeoff.tiles.playing = false;
  draw_timing(frame, pos, size);
}

}  // namespace hydra::tradeoff

// The parts of the page "How it is computed".
#pragma once
#include "app/measures/ways.h"
#include "app/views/tradeoff/computed/tile_numbers.h"
#include "app/views/tradeoff/tradeoff_parts.h"

namespace hydra::tradeoff {

void draw_product(Frame& frame, ImVec2 pos, ImVec2 size);

// What was timed last; null: nothing was.
inline const TimedWays* timed_ways(const Frame& frame) {
  const auto& ways = frame.now.started<WaysMeasure>().value;
  return ways ? ways->timed.get() : nullptr;
}

void draw_timing(Frame& frame, ImVec2 pos, ImVec2 size);
// The button that measures or cancels; old: what is shown is of other sizes than the document's.
void draw_timing_bar(Frame& frame, const Box& area, bool old);
// What the three ways are, each in the colour of its curves; as high as its lines take in that width.
float ways_key_height(const Frame& frame, float width);
void draw_ways_key(const Frame& frame, ImVec2 pos, float width);
ImU32 way_color(const Theme& theme, Way way);
// What was measured in sentences, as many as there is room for; old: with other sizes than the document's.
void draw_timing_words(Frame& frame, const Box& ways, const Box& steps, bool old);
std::string time_text(double milliseconds);  // "18.6 µs"

void draw_tiles(Frame& frame, ImVec2 pos, ImVec2 size);
// scale_line: whether the area has a line for the scale of the colours.
void draw_tile_controls(Frame& frame, const TileNumbers& numbers, Index done, const Box& area, bool scale_line);

const TileNumbers& tile_numbers(Frame& frame);  // of the focused head, the query and the side chosen
// The query's state after each of its tiles, when so many tiles of the walk are done.
void draw_tile_numbers(Frame& frame, const TileNumbers& numbers, Index done, const Box& area);

}  // namespace hydra::tradeoff

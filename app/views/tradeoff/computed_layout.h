// Where the parts of the page "How it is computed" stand: pure arithmetic, so that it can be tested for every size.
//
//   bar, key                                   labels  grid of tiles   controls
//   time      memory      in words                                     numbers of the query
//   of a step of a step   in words             bars of the row         what they come to
#pragma once
#include "app/views/tradeoff/tradeoff_layout.h"

namespace hydra {

// Two rows of charts with their words beside them; in narrow rooms the words stand below each row.
struct TimingLayout {
  TradeoffArea bar, key;
  TradeoffArea time, memory, words;
  TradeoffArea step_time, step_memory, step_words;
  float bottom = 0;
};
// key: height of what stands between the bar and the charts. Taller than size.y where that is lower than what can be
// read.
TimingLayout timing_layout(ImVec2 pos, ImVec2 size, float text, float unit, float key = 0);

struct TilesInput {
  ImVec2 pos, size;
  int tokens = 1;
  float labels = 60;  // width of the longest token
  int notes = 1;      // lines of them below the controls
  float text = 15, unit = 4;
};
struct TilesLayout {
  ImVec2 grid;        // corner of the first cell
  float cell = 1;     // its side
  float tops = 0;     // top of the tokens over the grid
  float left = 0;     // of the tokens beside it
  TradeoffArea bars;  // below, over the same columns
  TradeoffArea controls, numbers;
  bool scale = false;  // whether the controls have a line for the scale of the colours
};
TilesLayout tiles_layout(const TilesInput& in);

}  // namespace hydra

// The parts of the page "How it is computed".
#pragma once
#include "app/views/tradeoff/tradeoff_parts.h"
#include "core/attention/tiles.h"

namespace hydra {

// What the tiles come to for one query of one head; kept while its inputs are the same matrices.
struct TileNumbers {
  MatPtr<float> scores, V, attention, output;  // of the head
  Mask mask;
  int head = 0;
  Index query = -1, side = 0;

  TileWalk walk;
  std::vector<RunningSoftmax<float>> states;   // of the query, one per tile of its block
  Index first = 0;                             // of the walk: the tile that is the query's first
  std::vector<RowVec<float>> weights;          // after each: the row of A so far
  MatPtr<float> outputs;                       // [states x d_k] what is kept of the output after each
  MatPtr<float> ends;                          // [2 x d_k] the last of them divided by l, and what the trace holds
  float largest = 0;                           // number in outputs and ends
  double weights_apart = 0, output_apart = 0;  // from A's row and the head's output, after the last
  bool painted = false;                        // the row of A is set by hand

  // Tiles of the query's block among so many of the walk.
  Index seen(Index done) const;
};

}  // namespace hydra

namespace hydra::tradeoff {

void draw_timing(Frame& frame, ImVec2 pos, ImVec2 size);
void draw_tiles(Frame& frame, ImVec2 pos, ImVec2 size);

const TileNumbers& tile_numbers(Frame& frame);  // of the focused head, the query and the side chosen
// The query's state after each of its tiles, when so many tiles of the walk are done.
void draw_tile_numbers(const Frame& frame, const TileNumbers& numbers, Index done, const TradeoffArea& area);

}  // namespace hydra::tradeoff

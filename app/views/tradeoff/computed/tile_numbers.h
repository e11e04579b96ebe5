// What the tiles of the page "How it is computed" come to for one query of one head, worked out of the trace.
#pragma once
#include "core/attention/forward.h"
#include "core/attention/tiles.h"

namespace hydra {

// What the tiles come to for one query of one head; kept while its inputs are the same matrices.
struct TileNumbers {
  Stamp of;                                   // the head's scores, values, attention and output
  Array<float> scores, V, attention, output;  // of the head
  Mask mask;
  std::optional<float> sink;
  Index query = -1, side = 0;
  Index asked = -1;  // the query that was wanted; another where that one is not fixed and tells less

  TileWalk walk;
  std::vector<RunningSoftmax<float>> states;   // of the query, one per tile of its block
  Index first = 0;                             // of the walk: the tile that is the query's first
  std::vector<RowVec<float>> weights;          // after each: the row of A so far
  Array<float> outputs;                        // [states x d_k] what is kept of the output after each
  Array<float> ends;                           // [2 x d_k] the last of them divided by l, and what the trace holds
  float largest = 0;                           // number in outputs and ends
  double weights_apart = 0, output_apart = 0;  // from A's row and the head's output, after the last
  bool painted = false;                        // the row of A is set by hand
  bool alone = false;  // more follows softmax: attention and output are of what it gives, A° and A° V

  // Tiles of the query's block among so many of the walk.
  Index seen(Index done) const;
  // So many tiles of the walk as make a picture: up to the first that rescales what the query keeps; without one up to
  // the last but one of the query's.
  Index opening() const;
  // Whether these are the numbers of that query, or have to be worked out.
  bool are_of(const LayerTrace<float>& layer, int head, Index query, Index side) const;
};
// What a query keeps is rescaled where a tile brings a larger score than those before it: the first of its tiles that
// does so, and by what.
struct Rescale {
  Index tile = -1;  // from 0; -1: none
  float by = 1;     // below 1, as far as is seen in three decimals
};
Rescale first_rescale(MatIn<float> scores, const Mask& mask, Index query, Index side,
                      std::optional<float> sink = std::nullopt);
// The query asked for if there is such a tile for it, else the one for which it rescales the most; the one asked for
// where there is none.
Index telling_query(MatIn<float> scores, const Mask& mask, Index side, Index asked,
                    std::optional<float> sink = std::nullopt);

TileNumbers tile_numbers_of(const LayerTrace<float>& layer, int head, Index query, Index side);

}  // namespace hydra

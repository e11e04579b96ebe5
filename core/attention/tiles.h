// The tiled way of ways.h step by step, so that it can be shown: which tiles of the scores it visits, and what it keeps
// of a query while its keys come tile by tile (Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, algorithm 1).
#pragma once
#include <optional>
#include <vector>

#include "core/model/mask.h"

namespace hydra {

struct Tile {
  Index row = 0, rows = 0;  // queries
  Index key = 0, keys = 0;
  bool operator==(const Tile&) const = default;
};
struct TileWalk {
  std::vector<Tile> visited;  // in order: a block of queries after the other, its keys from left to right
  std::vector<Tile> skipped;
};
// Over [n x n] scores in tiles of side x side; those at the ends are smaller.
TileWalk tile_walk(const Mask& mask, Index n, Index side);

// What is known of a query after a tile.
template <class S>
struct RunningSoftmax {
  Index keys = 0;    // seen so far
  S tile_top = 0;    // the largest score in the tile; -inf where it holds none that counts
  S top = 0;         // m: the largest so far
  S tile_total = 0;  // sum of exp(score - m) in the tile
  S total = 0;       // l: the same over all keys so far
  S shrink = 0;      // exp(m before - m): what l and o so far were multiplied by; 0 where nothing counted before
  RowVec<S> output;  // o [d_k]: sum of exp(score - m) times the key's row of V; o / l is the head's output
};
// One state per tile for a query's row of scores [1 x n], -inf where masked, of which keys are visited; V is [n x d_k].
// A sink's score counts before the first tile: m is it, l is 1.
template <class S>
std::vector<RunningSoftmax<S>> running_softmax(MatIn<S> scores, MatIn<S> V, Index keys, Index side,
                                               std::optional<S> sink = std::nullopt);

// The row of A if there were no more keys than those seen: exp(score - m) / l, 0 for the others and where nothing
// counts.
template <class S>
RowVec<S> weights_so_far(MatIn<S> scores, const RunningSoftmax<S>& state);
// o / l, zeros where nothing counts.
template <class S>
RowVec<S> output_so_far(const RunningSoftmax<S>& state);

}  // namespace hydra

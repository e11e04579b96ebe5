// How far the tiles of the page "How it is computed" have been walked, and how they walk on by themselves.
#pragma once
#include <optional>

#include "core/linalg/types.h"

namespace hydra {

struct TilesMotion {
  std::optional<Index> done;  // tiles visited; none: as many as make a picture
  bool playing = false;
  float rested = 0;  // seconds since the last tile
};

inline constexpr Index kTileSides[] = {2, 4, 8, 16, 32, 64};
inline constexpr Index kMostAcross = 32;  // tiles of a side that can still be followed
// The least of them that cuts n into at most so many.
Index least_side(Index n, Index across);
// The chosen one where it does not cut n into too many, else the least that suits; without a choice one that makes a
// few.
Index side_for(std::optional<Index> chosen, Index n);

// Play from the beginning when all tiles are visited, else from where it stands; or stop.
void toggle_playing(TilesMotion& motion, Index done, Index tiles);
// Walks on by what the seconds allow; stops after the last tile. True while it plays.
bool walk_on(TilesMotion& motion, Index done, Index tiles, float seconds);

}  // namespace hydra

#include "app/views/tradeoff/computed/tiles_motion.h"
#include "app/draw/nth.h"

#include <algorithm>

namespace hydra {

namespace {
// A tile can be followed by eye; a long walk is not longer than somebody waits.
constexpr float kSecondsPerTile = 0.8f, kMostSeconds = 30;
}  // namespace

Index least_side(Index n, Index across) {
  for (const Index side : kTileSides)
    if (n <= across * side) return side;
  return kTileSides[std::size(kTileSides) - 1];
}

Index side_for(std::optional<Index> chosen, Index n) {
  return chosen ? std::max(*chosen, least_side(n, kMostAcross)) : least_side(n, 4);
}

void toggle_playing(TilesMotion& motion, Index done, Index tiles) {
  motion.playing = !motion.playing;
  motion.rested = 0;
  motion.done = motion.playing && done >= tiles ? 0 : done;
}

bool walk_on(TilesMotion& motion, Index done, Index tiles, float seconds) {
  if (!motion.playing) return false;
  const float pace = std::min(kSecondsPerTile, kMostSeconds / real(std::max<Index>(1, tiles)));
  motion.rested += seconds;
  const auto more = static_cast<Index>(motion.rested / pace);
  motion.rested -= real(more) * pace;
  motion.done = std::min(tiles, done + more);
  if (*motion.done >= tiles) motion.playing = false;
  return motion.playing;
}

}  // namespace hydra

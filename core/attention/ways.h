// Three ways to compute the same output when the stages between are not wanted: what real programs do. They differ in
// time and in memory, not in the result (but for rounding).
#pragma once
#include <array>
#include <cstddef>
#include <stop_token>

#include "core/attention/forward.h"
#include "core/work/parallel.h"

namespace hydra {

enum class Way {
  per_head,  // a loop over heads, each with its own small projections, one [n x n] pattern at a time
  combined,  // one product per projection for all heads, cut into heads afterwards; all h patterns [n x n] at once
  tiled,  // projections as combined; the pattern in tiles, with a running maximum and sum: never [n x n]. Milakov and
          // Gimelshein 2018, section 3; Dao et al. 2022, algorithm 1 (FlashAttention), without its recomputation
};
// Empty where a layer can be computed so; else the key of a sentence that says why not.
const char* why_not(Way way, const LayerSettings& settings);
struct WayEntry {
  Way way;
  const char* key;  // "per_head": in files
  // Keys of texts:
  const char* title;      // "Loop over heads"
  const char* label;      // "loop": of its curve
  const char* under_way;  // "loop over heads": what is being done
};
const std::array<WayEntry, 3>& ways();  // in the order of the enum
const WayEntry& entry_of(Way way);

// Queries and keys of a tile: in floats 128 KiB of scores, which stay in the second-level cache.
inline constexpr Index kTileQueries = 128, kTileKeys = 256;

template <class S>
struct WayResult {
  Mat<S> output;               // [n x d_model] Y
  std::size_t peak_bytes = 0;  // the most that its matrices held at once, X, the weights and Y itself not counted
};
// In a way in which the layer can be computed. Rows painted by hand are not for this: only weights count. Equal for
// every number of threads. Throws Stopped within a block of rows of one head after a stop is requested.
template <class S>
WayResult<S> compute(const LayerInput<S>& input, Way way, ThreadPool* pool = nullptr, const std::stop_token& stop = {});
// The peak_bytes that compute reports for n tokens on one thread, without computing.
template <class S>
std::size_t bytes_needed(const LayerInput<S>& layer, Index n, Way way);

}  // namespace hydra

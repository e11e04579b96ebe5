// The ways to compute attention timed on this machine, as the Trade-off view shows them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/timing.h"

namespace hydra {

// What timings depend on, so that old ones can be told from those of the document.
struct TimedSizes {
  Index d_model = 0, concat = 0, heads = 0, kv_heads = 0;
  LayerSettings settings;  // of the heads
  Mask::Kind mask = Mask::Kind::none;
  bool operator==(const TimedSizes&) const = default;
};
inline TimedSizes timed_sizes(const LayerInput<float>& layer) {
  return {layer.d_model(),  layer.concat_width(),          layer.heads,
          layer.kv_heads(), only_of_heads(layer.settings), layer.mask.kind};
}

struct TimedWays {
  TimedSizes sizes;
  std::vector<Index> lengths;  // asked for
  Timings timings;             // so far
  bool renewed = false;        // what this measurement has not reached yet is of the one before
};

struct WaysShown {
  std::shared_ptr<const TimedWays> timed;  // null until a length is measured
  bool measuring = false;
  bool ending = false;     // cancelled, with a run still under way
  bool cancelled = false;  // the last measurement was ended before it was done
  std::string failure;     // why the last measurement ended early; else empty
  std::string now;         // "n = 1024, in tiles"; while measuring
  float progress = 0;
  int threads = 1;  // that measure
};

}  // namespace hydra

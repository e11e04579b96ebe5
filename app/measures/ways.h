// The ways to compute attention timed on this machine, when a user starts it: on one thread, so that the frames keep
// the rest of the machine. What is measured is shown length by length.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/measures/registry/registry.h"
#include "core/analysis/cost/timing.h"

namespace hydra {

// What timings depend on, so that old ones can be told from those of the document.
struct TimedSizes {
  Index d_model = 0, concat = 0, heads = 0, kv_heads = 0;
  LayerSettings settings;  // of the heads
  Mask::Kind mask = Mask::Kind::none;
  std::vector<HeadTerms> own = {};  // as LayerInput has them
  bool operator==(const TimedSizes&) const = default;
};
inline TimedSizes timed_sizes(const LayerInput<float>& layer) {
  return {layer.d_model(),  layer.concat_width(),          layer.heads,
          layer.kv_heads(), only_of_heads(layer.settings), layer.mask.kind,
          layer.own};
}

struct TimedWays {
  TimedSizes sizes;
  std::vector<Index> lengths;  // asked for
  Timings timings;             // so far
  bool renewed = false;        // what this measurement has not reached yet is of the one before
};

// What was measured anew, and of the measurement before what has not been reached again: only where both were asked for
// and the sizes are the same.
TimedWays renewed(TimedWays now, const TimedWays& before);

struct WaysMeasure {
  struct Wanted {
    LayerInput<float> layer;
    std::vector<Index> lengths;  // ascending
  };
  struct Result {
    std::shared_ptr<const TimedWays> timed;  // null until a length is measured
    std::string now;                         // "n = 1024, in tiles"; while it is measured
    bool found = false;                      // something, by this measurement
  };
  using Kept = Nothing;
  static constexpr const char* kFailed = "measures:ways.failed";
  static Result compute(const Wanted& wanted, const Result* before, const MeasureTurn<WaysMeasure>& turn);

  // It was ended before it was done, and has found something.
  static bool ended_early(const Measured<WaysMeasure>& ways) {
    return !ways.computing && !ways.older && ways.value && ways.value->found && (ways.stopped || !ways.failure.empty());
  }
};

}  // namespace hydra

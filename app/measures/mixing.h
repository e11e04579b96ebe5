// What the heads add to a layer's output, and what is lost without them (Mixing).
#pragma once
#include "app/measures/registry.h"
#include "core/analysis/mixing.h"

namespace hydra {

struct MixingMeasure : MeasureOfTrace {
  struct Wanted {
    int layer = 0;
    Written written = Written::all;
    bool operator==(const Wanted&) const = default;
  };
  using Result = Mixing;
  using Kept = KeptMeasures<MixingMeasures>;
  static constexpr const char* kFailed = "What the heads add could not be measured";
  static bool is_there(const Moment& now, const Wanted& wanted) { return has_whole(*now.trace, wanted.layer); }
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra

// What the heads add to a layer's output, and what is lost without them (Mixing).
#pragma once
#include "app/measures/registry.h"
#include "core/analysis/mixing.h"

namespace hydra {

struct MixingMeasure {
  struct Wanted {
    int layer = 0;
    Written written = Written::all;
    bool operator==(const Wanted&) const = default;
  };
  using Result = Mixing;
  using Kept = KeptMeasures<MixingMeasures>;
  static constexpr const char* kFailed = "What the heads add could not be measured";
  static constexpr bool kStops = false, kLetsGo = false;
  static bool is_there(const Trace& trace, const Wanted& wanted) { return has_whole(trace, wanted.layer); }
  static Result compute(const Trace& trace, const Wanted& wanted, Kept& kept, const std::stop_token& stop);
};

}  // namespace hydra

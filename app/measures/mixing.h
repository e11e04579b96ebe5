// What the heads add to a layer's output, and what is lost without them (Mixing).
#pragma once
#include "app/measures/registry/registry.h"
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
  static constexpr const char* kFailed = "measures:mixing.failed";
  static bool is_there(const Moment& now, const Wanted& wanted) { return has_whole(*now.trace, wanted.layer); }
  static double cost(const Moment& now, const Wanted& wanted) { return cost(now.trace->layer(wanted.layer).input); }
  static double cost(const LayerInput<float>& layer) {
    return static_cast<double>(layer.heads * layer.heads) * static_cast<double>(layer.n() * layer.d_model());
  }
  static std::size_t bytes(const Result& result) {
    return bytes_of(result.size) + bytes_of(result.along) + bytes_of(result.gram) + bytes_of(result.means) +
           bytes_of(result.ungated);
  }
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra

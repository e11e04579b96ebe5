// How the words reach each token through all layers up to one (Heads, Rollout).
#pragma once
#include "app/measures/registry/registry.h"
#include "core/analysis/stream/rollout.h"

namespace hydra {

struct RolloutMeasure : MeasureOfTrace {
  struct Wanted {
    int layers = 1;
    RolloutKind kind = RolloutKind::attention;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    Rollout steps;
    Array<float> reached;  // its last, as it is drawn
    Array<float> hidden;   // -inf where no way leads from the word past the masks, else 0; null where all have one
  };
  using Kept = KeptThreads;
  static constexpr const char* kFailed = "measures:rollout.failed";
  static bool is_there(const Moment& now, const Wanted& wanted) {
    return wanted.layers <= static_cast<int>(now.trace->layers.size());
  }
  static double cost(const Moment& now, const Wanted& wanted) {
    const auto n = static_cast<double>(now.trace->X->rows());
    return wanted.layers * n * n * n;
  }
  static std::size_t bytes(const Result& result) {
    return 3 * bytes_of(result.steps.reached) + bytes_of(result.reached) +
           (result.hidden ? bytes_of(result.hidden) : 0);
  }
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra

// How the words reach each token through all layers up to one (Heads, Rollout).
#pragma once
#include "app/measures/registry.h"
#include "core/analysis/rollout.h"

namespace hydra {

struct RolloutMeasure {
  struct Wanted {
    int layers = 1;
    RolloutKind kind = RolloutKind::attention;
    bool operator==(const Wanted&) const = default;
  };
  struct Result {
    Rollout steps;
    Array<float> reached;  // its last, as it is drawn
  };
  using Kept = KeptThreads;
  static constexpr const char* kFailed = "Rollout could not be computed";
  static constexpr bool kStops = false, kLetsGo = false;
  static bool is_there(const Trace& trace, const Wanted& wanted) {
    return wanted.layers <= static_cast<int>(trace.layers.size());
  }
  static Result compute(const Trace& trace, const Wanted& wanted, Kept& kept, const std::stop_token& stop);
};

}  // namespace hydra

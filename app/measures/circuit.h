// Composition of a stack's heads (Stream, Circuit); of what has the same weights nothing is measured again.
#pragma once
#include "app/measures/registry.h"
#include "core/analysis/circuit.h"

namespace hydra {

struct CircuitMeasure {
  struct Wanted {
    bool operator==(const Wanted&) const = default;
  };
  using Result = Circuit;
  using Kept = KeptMeasures<CircuitMeasures>;
  static constexpr const char* kFailed = "Composition could not be measured";
  static constexpr bool kStops = false, kLetsGo = false;
  static bool is_there(const Trace&, const Wanted&) { return true; }
  static Result compute(const Trace& trace, const Wanted& wanted, Kept& kept, const std::stop_token& stop);
};

}  // namespace hydra

// Composition of a stack's heads (Stream, Circuit); of what has the same weights nothing is measured again.
#pragma once
#include "app/measures/registry/registry.h"
#include "core/analysis/stream/circuit.h"

namespace hydra {

struct CircuitMeasure : MeasureOfTrace {
  struct Wanted {
    bool operator==(const Wanted&) const = default;
  };
  using Result = Circuit;
  using Kept = KeptMeasures<CircuitMeasures>;
  static constexpr const char* kFailed = "measures:circuit.failed";
  static bool is_there(const Moment&, const Wanted&) { return true; }
  static std::size_t bytes(const Result& result) { return result.count() * sizeof(double); }
  static Result compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn);
};

}  // namespace hydra

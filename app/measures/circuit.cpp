#include "app/measures/circuit.h"

namespace hydra {

Circuit CircuitMeasure::compute(const Trace& trace, const Wanted&, Kept& kept, const std::stop_token& stop) {
  return kept.measures.of(trace, stop);
}

}  // namespace hydra

#include "app/measures/stream/circuit.h"

namespace hydra {

Circuit CircuitMeasure::compute(const MeasuredOf& of, const Wanted&, const JobTurn<Kept>& turn) {
  return turn.kept.measures.of(*of.trace, turn.stop);
}

}  // namespace hydra

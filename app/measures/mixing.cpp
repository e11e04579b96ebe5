#include "app/measures/mixing.h"

namespace hydra {

Mixing MixingMeasure::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  return turn.kept.measures.of(of.trace->layer(wanted.layer), wanted.written);
}

}  // namespace hydra

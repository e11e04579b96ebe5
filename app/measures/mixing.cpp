#include "app/measures/mixing.h"

namespace hydra {

Mixing MixingMeasure::compute(const Trace& trace, const Wanted& wanted, Kept& kept, const std::stop_token&) {
  return kept.measures.of(trace.layer(wanted.layer), wanted.written);
}

}  // namespace hydra

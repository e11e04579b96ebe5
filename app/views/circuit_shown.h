// Composition of a stack's heads as the Circuit page shows it.
#pragma once
#include <memory>
#include <string>

#include "core/analysis/circuit.h"

namespace hydra {

struct CircuitShown {
  std::shared_ptr<const Circuit> circuit;  // of the present trace or a moment older; null until the first is done
  std::string failure;                     // why the newest could not be measured; else empty
};

}  // namespace hydra

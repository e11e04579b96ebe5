// Numbers of the forward pass that floats cannot hold: sums beyond 3.4e38 are infinite, and softmax makes of a row with
// such a score no numbers at all.
#pragma once
#include <string>
#include <vector>

#include "core/explain/quantity.h"

namespace hydra {

struct Overflow {
  Cell cell;                 // the first such number: head by head, in the order of computing; of the layer last
  float value = 0;           // inf, -inf or NaN
  std::vector<Index> heads;  // all heads that have such numbers
  std::string sentence;      // where, what it comes from, what becomes of it
};

// Fills the trace's overflow, null when every number is finite but the masked scores, and sizes. Looks at the numbers
// themselves only where the weights and X are so large that a sum might be beyond. previous: any trace, or null.
void find_overflow(Trace& trace, const Trace* previous);

}  // namespace hydra

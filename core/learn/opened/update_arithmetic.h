// A number's update in a step of training as its whole arithmetic: over the tokens of a sequence, over the sequences of
// the batch, clipping, the optimizer's moments, the rate.
#pragma once
#include "core/explain/explain.h"
#include "core/learn/opened/opened_step.h"

namespace hydra::learn {

// Of a parameter that learns, by a site without a head. The tokens are those of that sequence. The last step's result
// is the number after the step, within float rounding; value is the run's own.
Explanation explain_update(const OpenedStep& opened, const Cell& cell, Index sequence);

}  // namespace hydra::learn

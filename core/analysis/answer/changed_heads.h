// What a model reads out when some of its heads add something else to their layers' outputs than they do: nothing
// (ablation), a mean, or what they add in another sentence (activation patching: Vig et al. 2020; Wang et al. 2023).
// All that reads them is recomputed: the norm and the feed-forward part after them and the layers above, their
// patterns, too.
#pragma once
#include <span>

#include "core/attention/trace.h"
#include "core/weights/painting.h"

namespace hydra {

struct ChangedHead {
  int layer = 0;
  Index head = 0;
  Array<float> adds;  // [n x d_model] to its layer's output, in the place of its own contribution; null: nothing
  // Where there are some it adds what they make of it, instead: rows of its pattern, or of its values.
  PaintedHead<float> rows = {};
};

// The readout with these heads changed, each named once, at least one. The trace has a readout. What no change reaches
// is shared; a head that adds nothing gives the bits that its gate at 0 gives.
ModelTrace<float> read_out_with(const Trace& trace, std::span<const ChangedHead> changed);

}  // namespace hydra

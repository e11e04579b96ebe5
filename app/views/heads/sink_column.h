// What the sink takes of each row of the pattern that is shown large, a column apart from the keys.
#pragma once
#include <vector>

#include "app/views/frame/context.h"
#include "app/views/frame/look.h"
#include "app/views/heads/heads_layout.h"

namespace hydra {

// What each query gives to the sink, of the patterns with that stamp.
struct SinkColumn {
  Stamp of;
  std::vector<double> shares;
};
// Of the head in focus, or of the chosen heads in the mean; empty where a softmax has no sink. It holds until the next
// call.
const std::vector<double>& sink_shares_of(Frame& frame);

// With its share each row of weights sums to 1. numbers: their face; null: none. of_keys: the labels of the pattern's
// columns. Probe name: heads/sink.
void sink_column(Frame& frame, const HeadsLayout& at, const EdgeLabels& of_keys, const ValueScale& scale,
                 ImFont* numbers);

}  // namespace hydra

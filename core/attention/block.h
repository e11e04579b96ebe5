// A layer around its heads: the norms, sums and feed-forward part that its settings switch on
// (model/layer_program.cpp), every stage kept. Each row of a stage is made of its own row of others, so blocks of rows
// go through all stages while they are in cache. Incremental: a stage that has the stamp it should have is shared with
// the trace before.
#pragma once
#include "core/attention/forward.h"
#include "core/model/program.h"

namespace hydra {

template <class S>
struct BlockTrace {
  Array<S> input;  // [n x d_model] the stream that enters the layer
  // In the order of the program. Where only what leaves the layer is kept, the stamps of the others.
  std::vector<std::pair<Quantity, Array<S>>> stages;

  // Null where the layer has no such stage.
  const Array<S>& of(Quantity quantity) const;
};

// What a block needs besides what it reads: its settings, parameters, and threads.
template <class S>
struct BlockMaking {
  const LayerSettings& settings;
  const AttentionWeights<S>& weights;
  const BlockTrace<S>* previous = nullptr;  // any, or none
  ThreadPool* pool = nullptr;
};

// The stages before the heads, from the stream in block.input; gives what the heads read [n x d_model].
template <class S>
Array<S> before_heads(const BlockMaking<S>& making, BlockTrace<S>& block);
// Those after them, from what the heads give; gives what leaves the layer [n x d_model]. only_last: where that has its
// stamp in the previous trace, the stages before it may be missing and stay so.
template <class S>
Array<S> after_heads(const BlockMaking<S>& making, const Array<S>& heads, BlockTrace<S>& block, bool only_last = false);

// All stages of a block that this stream enters; heads: what they give.
template <class S>
BlockTrace<S> whole_block(const BlockMaking<S>& making, const Array<S>& heads, const Array<S>& stream);
// Lets go of all stages but what the heads read and what leaves; their stamps stay.
template <class S>
void keep_ends_only(const LayerSettings& settings, BlockTrace<S>& block);

}  // namespace hydra

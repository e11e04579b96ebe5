#include "core/attention/trace.h"

namespace hydra {

std::shared_ptr<const BlockTrace<float>> whole_block_of(const Trace& trace, int layer) {
  const LayerTrace<float>& heads = trace.layer(layer);
  const BlockTrace<float>& block = trace.block(layer);
  if (heads.is_whole() || !trace.recomputed_blocks) return {std::shared_ptr<void>(), &block};  // the caller's
  const Array<float>& leaves = block.stages.empty() ? heads.output : block.stages.back().second;
  return trace.recomputed_blocks->get(leaves.stamp(), [&] {
    return std::make_shared<const BlockTrace<float>>(
        whole_block<float>({heads.input.settings, heads.input.weights}, heads.output, block.input));
  });
}

}  // namespace hydra

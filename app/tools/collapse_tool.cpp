#include "app/tools/collapse_tool.h"

#include "core/design/collapse.h"

#include "app/draw/format.h"
#include "core/text/wording.h"

namespace hydra {

Edit CollapseTool::moved(float amount, const Document& document, int in_layer) {
  const Layer& layer = document.layer(in_layer);
  if (!amount_) {
    from_ = layer.weights;
    layer_ = in_layer;
  }
  to_ = towards_mean(from_, layer.heads, amount);
  amount_ = amount;
  return {SetWeights{to_, wording("tools:collapse"), ui::number(amount, As::brief)}, layer_};
}

void CollapseTool::update(const Document& document, int in_layer) {
  if (!amount_) return;
  const bool present = layer_ == in_layer && document.layers.size() > static_cast<std::size_t>(layer_) &&
                       same_bits(to_, document.layer(layer_).weights);
  if (present) {
    to_ = document.layer(layer_).weights;  // the same values, and from now on the same matrices
  } else {
    amount_.reset();
    from_ = to_ = {};
  }
}

}  // namespace hydra

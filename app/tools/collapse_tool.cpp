#include "app/tools/collapse_tool.h"

#include "core/design/collapse.h"

#include "app/widgets/format.h"

namespace hydra {

Edit CollapseTool::moved(float amount, const Document& document, ViewState& view) {
  const Layer& layer = document.layer(view.layer);
  if (!view.likeness.collapse) {
    from_ = layer.weights;
    layer_ = view.layer;
  }
  to_ = towards_mean(from_, layer.heads, amount);
  view.likeness.collapse = amount;
  return {SetWeights{to_, "collapse", ui::fixed(amount, 2)}, layer_};
}

void CollapseTool::update(const Document& document, ViewState& view) {
  if (!view.likeness.collapse) return;
  const bool present = layer_ == view.layer && document.layers.size() > static_cast<std::size_t>(layer_) &&
                       same_bits(to_, document.layer(layer_).weights);
  if (present) {
    to_ = document.layer(layer_).weights;  // the same values, and from now on the same matrices
  } else {
    view.likeness.collapse.reset();
    from_ = to_ = {};
  }
}

}  // namespace hydra
